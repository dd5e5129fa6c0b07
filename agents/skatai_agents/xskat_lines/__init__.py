"""Games of XSkat on given deals, to compare agents with: who bid what, the contract, the discards and every card.

XSkat (Gunter Gerhardt, 4.0 of 2004) is a free Skat program that plays by rules of thumb. Where Debian's package ``xskat`` is
installed, its unattended mode plays any deals with the computer in all three seats, without a display and thousands a second::

    games = reference_games(deals_from_seed(1, 100))
    print(games[0].calls, games[0].contract, games[0].discards, games[0].result)

``python -m skatai_agents.xskat_lines AGENT…`` plays the same deals with an agent in all seats and compares. At a table with itself
XSkat gets 24.5 list points a deal and seat; it declares 99.4 % of the deals and wins 81.8 % of the games (10,000 random deals).

**The auction.** XSkat's log tells the declarer and the last bid, but not the calls. Three further runs, each with one player
weakened (``-s1 -4`` and so on, which changes the limit of that player's bids in a known way), tell what the others would have
done; the only auction that explains all four outcomes is XSkat's (:mod:`~skatai_agents.xskat_lines.auction`). On 43,000 deals
there was always exactly one; on 3,000 deals of which XSkat's games were recorded with their calls, all calls, contracts and
discards agree.

**The lines.** Auctions, discards and contracts are the same in every run. Between cards that it takes for equal XSkat draws lots,
by the clock: one line of play in five and one result in sixty differ from run to run. Keep the games (``--save``) where figures
must be repeated.

**Rules.** The official ones, with all of XSkat's variants off as is its default (Ramsch, Schieberamsch, Kontra, Bock, Spitze,
Revolution, Klopfen, Schenken). Every game is replayed by skatai's rules, and one that does not come out as XSkat's log says is an
error. XSkat never announces schneider or schwarz, never concedes, never bids more than 60, and plays null only as a hand game. Its
own shuffling is biased, and is not used here.
"""

from skatai_agents.xskat_lines.games import lines_bidder, reference_games

__all__ = ["lines_bidder", "reference_games"]
