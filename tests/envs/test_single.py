"""``skatai/Skat-v0``: Gymnasium's checks, options, rendering and bad use."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env

import skatai.envs
from skatai.agent import BaseAgent
from skatai.deal import Deal, write_deals
from skatai.envs import CardPointShaping, PolicyOpponent, SkatEnv
from skatai.errors import AgentError, IllegalActionError, SkatError
from skatai.game import Game
from skatai.rng import derive_seed
from skatai.rules import Rules

OPTIONS = {
    "default": {},
    "random, seat 2, win": {"opponents": "random", "seat": 2, "reward": "win"},
    "declarer, points": {"phase": "play", "contract": "suit", "seat": "declarer", "reward": "points"},
    "defender, forced, float32": {
        "phase": "play",
        "bidder": "forced",
        "contract": "NO|G",
        "seat": "defender",
        "observation": "float32",
    },
    "bidding, score, history": {"phase": "bidding", "reward": "score", "observation": "history"},
    "function, perfect": {
        "opponents": ["rule", lambda view, rng: rng.choice(view.legal_actions)],
        "observation": "perfect",
    },
    "table rules, deals": {"rules": Rules.table(), "deals": [Deal.random(i) for i in range(3)]},
    "mask beside": {"mask": "observation", "observation": "float32"},
}
each_option_set = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


@each_option_set
def test_check_env(options, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("skatai/Skat-v0", **options).unwrapped)


def play_random(env, steps, seed=0):
    """Random play; the sum of rewards."""
    rng, total = np.random.default_rng(seed), 0.0
    seen, info = env.reset(seed=seed)
    for _ in range(steps):
        assert env.observation_space.contains(seen)
        seen, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        total += reward
        if over:
            assert not info["action_mask"].any()
            seen, info = env.reset()
    return total


@each_option_set
def test_random_steps_without_a_warning(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play_random(gymnasium.make("skatai/Skat-v0", **options), 300)


@pytest.mark.slow
@each_option_set
def test_100_000_random_steps_without_a_warning(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play_random(gymnasium.make("skatai/Skat-v0", **options), 100_000)


def test_same_seed_same_episode():
    assert play_random(SkatEnv(), 200, seed=3) == play_random(SkatEnv(), 200, seed=3)
    assert play_random(SkatEnv(), 200, seed=3) != play_random(SkatEnv(), 200, seed=4)


def test_deals_and_seats_follow_the_seed():
    env = SkatEnv("random")
    env.reset(seed=11)
    for episode in range(4):
        assert env.game.deal == Deal.random(derive_seed(11, 0, episode)) and env.seat == episode % 3
        env.reset()


def test_reset_options():
    env = SkatEnv("random")
    deal = Deal.random(77)
    for form in (deal, str(deal)):
        env.reset(seed=1, options={"deal": form, "seat": 2})
        assert env.game.deal == deal and env.seat == 2
    game = Game(deal).play("bid 18").play("pass").play("pass").play("pick up")
    _, info = env.reset(options={"game": str(game), "seat": 1})
    assert env.view.phase == "discard" and info["action_mask"].sum() == 12
    assert str(env.game) == str(game)
    env.reset()
    assert env.game.deal != deal


def test_play_phase_of_a_given_deal():
    deal = Deal.random(77)
    env = SkatEnv("rule", phase="play", contract="G", bidder="forced", seat="declarer")
    env.reset(seed=1, options={"deal": deal})
    assert env.game.deal == deal and str(env.game.contract) == "G" and env.seat == env.game.declarer
    env = SkatEnv("rule", phase="play")
    with pytest.raises(SkatError, match="the deal given is passed in"):
        env.reset(seed=1, options={"deal": Deal.random(12)})
    with pytest.raises(SkatError, match=r"over: call reset\(\)"):
        env.step(0)
    _, info = env.reset()
    assert info["action_mask"].any()


def test_given_game_without_a_declarer_needs_a_seat():
    game = Game(Deal.random(77)).play("bid 18")
    env = SkatEnv("rule", phase="play", seat="declarer")
    with pytest.raises(SkatError, match="no declarer yet, so the learner needs a seat"):
        env.reset(seed=1, options={"game": game})
    _, info = env.reset(options={"game": game, "seat": 0})
    assert info["seat"] == 0 and env.view.calls[0] == (1, "18")


def test_contract_restriction_is_the_rule_players():
    env = SkatEnv("rule", contract="grand", seat=0)
    env.reset(seed=1)
    assert env.view.phase == "auction" and not env.view.plays
    env = SkatEnv("rule", phase="play", contract=["CH", "SH", "HH", "DH", "GH"])
    for _ in range(3):
        env.reset(seed=2)
        assert env.game.contract.hand and env.game.contract.game < 5


def test_deal_file(tmp_path):
    deals = [Deal.random(i) for i in range(4)]
    write_deals(tmp_path / "deals.txt", deals)
    env = SkatEnv("random", deals=tmp_path / "deals.txt")
    env.reset(seed=1)
    dealt = set()
    for _ in range(20):
        dealt.add(env.game.deal)
        env.reset()
    assert dealt <= set(deals) and len(dealt) > 2


def test_rewards_agree_with_the_result():
    kinds = ("list_points", "score", "win", "points")
    envs = [SkatEnv("rule", phase="play", reward=kind) for kind in kinds]
    for seed in range(6):
        rewards = []
        for env in envs:
            _, info = env.reset(seed=seed)
            over, reward = False, 0.0
            while not over:
                _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            rewards.append(reward)
        result = env.game.result
        declares = result.declarer == env.seat
        assert info["score"] == result.score and info["declarer_won"] == result.won
        assert info["list_points"].tolist() == list(result.list_points) and not info["illegal_action"]
        assert rewards[0] == result.list_points[env.seat]
        assert rewards[1] == (result.score if declares else -result.score / 2)
        assert rewards[2] == (1 if declares == result.won else -1)


def test_illegal_action_ends_the_deal():
    env = SkatEnv("random")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over) == (-200, True) and info["illegal_action"] and not info["list_points"].any()
    assert play_random(SkatEnv("random"), 50) == play_random(SkatEnv("random"), 50)


def test_errors_name_the_fault():
    env = SkatEnv("random", illegal_action="raise", seat=0)
    with pytest.raises(SkatError, match=r"step\(\) before reset"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"'play D7' \(0\) is not legal for forehand in auction; legal: "):
        env.step(0)
    for bad in (136, -1, 10**30, 1.5, "CJ", None, True, np.True_, np.array([32, 33]), torch.tensor(1.0)):
        with pytest.raises(IllegalActionError, match="expected an id, 0 … 135"):
            env.step(bad)
    play_to_the_end(env)
    with pytest.raises(SkatError, match=r"over: call reset\(\)"):
        env.step(0)
    with pytest.raises(SkatError, match="no option 'deck'"):
        env.reset(options={"deck": 1})
    with pytest.raises(SkatError, match="reset: seat=3: expected a whole number 0 … 2"):
        env.reset(options={"seat": 3})
    with pytest.raises(SkatError, match="deal of type int"):
        env.reset(options={"deal": 3})
    with pytest.raises(SkatError, match="expected a Game or its text"):
        env.reset(options={"game": 3})


def play_to_the_end(env):
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat=3: expected one of 0, 1, 2, 'rotate', 'declarer', 'defender'"),
        ({"seat": "declarer"}, "only in phase='play'"),
        ({"phase": "trick"}, "phase='trick': expected one of 'full', 'bidding', 'play'"),
        ({"contract": "X"}, "not a contract"),
        ({"contract": "solo"}, "contract='solo': 'solo' is not a contract: .*; or one of 'suit', 'grand', 'null'"),
        ({"contract": 5}, "contract=5: '5' is not a contract"),
        ({"contract": []}, "expected contracts"),
        ({"mask": "left"}, "mask='left': expected one of 'info', 'observation'"),
        ({"bidder": "forced"}, "needs phase='play'"),
        ({"deals": 7}, "expected a list of deals"),
        ({"deals": []}, "expected a list of deals"),
        ({"reward": "money"}, "reward='money'"),
        ({"observation": "pixels"}, "observation='pixels'"),
        ({"illegal_action": "ignore"}, "illegal_action='ignore'"),
        ({"rules": "official"}, "expected skatai.rules.Rules"),
        ({"opponents": "nobody"}, "no agent 'nobody'"),
        ({"opponents": ["rule"]}, "1 given, expected one for both or two"),
        ({"opponents": 5}, "neither an agent's name"),
        ({"opponents": "self"}, "use the vector environment"),
        ({"table": -1}, "table=-1"),
        ({"table": 2**31}, "table=2147483648"),
        ({"seat": np.array([0, 1])}, "seat=array"),
        ({"render_mode": "vr"}, "render_mode='vr'"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(SkatError, match=message):
        SkatEnv(**options)


def test_an_opponent_that_fails_is_named():
    class Broken(BaseAgent):
        name = "broken"

        def act(self, view, rng):
            raise ZeroDivisionError("oh")

    env = SkatEnv(Broken(), seat=0)
    with pytest.raises(AgentError, match=r"opponent 'broken' in seat 1 raised ZeroDivisionError: oh; position: .*\|"):
        env.reset(seed=1)
    env = SkatEnv(lambda view, rng: 0, seat=0)
    message = "opponent '<lambda>' in seat 1 answered 0, which is not the id of a legal action; legal: pass, bid 18"
    with pytest.raises(AgentError, match=message):
        env.reset(seed=1)


@pytest.mark.parametrize("answer", [32.7, "pass", None, True, -1, [32], torch.tensor(32.0)], ids=str)
@pytest.mark.parametrize("form", [lambda f: lambda view, rng: f, lambda f: PolicyOpponent(lambda seen, mask: f)])
def test_answers_of_opponents_are_not_cut_to_ids(form, answer):
    env = SkatEnv(form(answer), seat=0)
    with pytest.raises(AgentError, match=r"opponent .* in seat 1 (answered|raised TypeError)"):
        env.reset(seed=1)


@pytest.mark.parametrize("answer", [32, np.uint8(32), np.array(32), torch.tensor(32)], ids=repr)
@pytest.mark.parametrize("form", [lambda f: lambda view, rng: f, lambda f: PolicyOpponent(lambda seen, mask: f)])
def test_integers_of_other_libraries_are_answers(form, answer):
    _, info = SkatEnv(form(answer), seat=2).reset(seed=1)
    assert info["action_mask"].any()


def test_nobody_acts_for_an_opponent_that_failed():
    def fails_in_play(view, rng):
        if view.plays:
            raise RuntimeError("oh")
        return view.legal_actions[0]

    env = SkatEnv(fails_in_play, phase="play", seat=0)
    _, info = env.reset(seed=1)
    assert env.view.is_my_turn
    with pytest.raises(AgentError, match="in seat 1 raised RuntimeError: oh"):
        env.step(int(np.argmax(info["action_mask"])))
    before = str(env.game)
    assert env.game.to_move == 1 and not env.action_masks().any()  # nor sees what it may do
    with pytest.raises(SkatError, match=r"step\(\) after an opponent failed: call reset\(\)"):
        env.step(env.game.legal_actions[0])
    assert str(env.game) == before
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()


def test_a_reset_that_fails_leaves_the_deal_as_it_was():
    env, twin = SkatEnv("random"), SkatEnv("random")
    for one in (env, twin):
        one.reset(seed=1)
    for options in ({"deal": "x"}, {"deals": []}, {"seat": 3}, {"game": 3}):
        with pytest.raises(SkatError):
            env.reset(seed=2, options=options)
        with pytest.raises(SkatError):
            env.reset(options=options)
    for one in (env, twin):
        play_to_the_end(one)
        one.reset()
    assert str(env.game) == str(twin.game)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", 2**64, [1]])
def test_seeds_that_would_be_another(seed):
    with pytest.raises(SkatError, match=r"reset: seed .*: expected"):
        SkatEnv("random").reset(seed=seed)


def test_integers_of_numpy_are_seeds():
    env, twin = SkatEnv("random"), SkatEnv("random")
    env.reset(seed=np.int64(7))
    twin.reset(seed=7)
    assert env.game.deal == twin.game.deal


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (5, "reset: options of type int, expected a dict"),
        ([], "reset: options of type list, expected a dict"),
        ({"seat": True}, "reset: seat=True"),
        ({"seat": np.array([0, 1])}, "reset: seat=array"),
        ({"deal": Deal.random(1), "game": Game(Deal.random(2))}, "a deal and a game are given, expected one of them"),
    ],
)
def test_bad_reset_options(options, message):
    with pytest.raises(SkatError, match=message):
        SkatEnv("random").reset(seed=1, options=options)


def test_nothing_to_see_before_reset():
    env = SkatEnv("random")
    looks = (env.action_masks, lambda: env.seat, lambda: env.view, lambda: env.game, lambda: env.observe_as("int8"))
    for look in looks:
        with pytest.raises(SkatError, match=r"before reset\(\)"):
            look()
    with pytest.raises(SkatError, match="not a card"):
        env.reset(seed=1, options={"deal": "x"})
    for look in looks:
        with pytest.raises(SkatError, match=r"before reset\(\)"):
            look()


def test_a_function_of_deals_that_fails_is_named():
    env = SkatEnv("random", deals=lambda deal: 1 / 0)
    with pytest.raises(SkatError, match=r"deals: the function raised ZeroDivisionError: division by zero; deal: .*\|"):
        env.reset(seed=1)


def test_agents_and_policies_as_opponents():
    seen = []

    def policy(observation, mask):
        seen.append(observation.shape)
        return int(np.flatnonzero(mask)[0])

    env = SkatEnv([PolicyOpponent(policy, "history"), "open"], phase="play", contract="suit")
    env.reset(seed=1)
    play_to_the_end(env)
    assert set(seen) == {(208, 2)} and len(seen) == 10
    with pytest.raises(SkatError, match="shows all cards"):
        PolicyOpponent(policy, "perfect")
    with pytest.raises(SkatError, match=r"'snapshot\.pt' is not a function"):
        PolicyOpponent("snapshot.pt")


def test_compiled_and_agent_forms_of_the_rule_player_are_the_same():
    from skatai.agent import make_agent

    assert play_random(SkatEnv("rule"), 120) == play_random(SkatEnv(make_agent("rule")), 120)


def test_rendering():
    env = SkatEnv("random", seat=0, render_mode="ansi")
    with pytest.raises(SkatError, match="before reset"):
        env.render()
    env.reset(seed=1)
    text = env.render()
    assert "forehand" in text and "?? ??" in text
    env = SkatEnv("random", seat=0, render_mode="ansi", open_cards=True)
    env.reset(seed=1)
    assert "?? ??" not in env.render()
    env = SkatEnv("random", phase="play", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape == (300, 400, 3) and before.dtype == np.uint8
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert not np.array_equal(before, env.render())


def test_human_rendering_prints(capsys):
    env = SkatEnv("random", seat=0, render_mode="human")
    env.reset(seed=1)
    env.step(32)
    assert capsys.readouterr().out.count("middlehand") >= 2


def test_pickle_goes_on_where_it_was():
    env = SkatEnv("rule", phase="play")
    env.reset(seed=1)
    twin = pickle.loads(pickle.dumps(env))
    for one in (env, twin):
        play_to_the_end(one)
    assert str(env.game) == str(twin.game)


def test_shaping():
    env = SkatEnv("rule", phase="play", contract="suit", reward="points")
    shaped = CardPointShaping(SkatEnv("rule", phase="play", contract="suit", reward="points"), weight=0.5)
    plain = CardPointShaping(SkatEnv("rule", phase="play", contract="suit", reward="points"), 0.5, potential=False)
    for seed in range(3):
        totals = []
        for one in (env, shaped, plain):
            _, info = one.reset(seed=seed)
            total, over, added = 0.0, False, []
            while not over:
                _, reward, over, _, info = one.step(int(np.flatnonzero(info["action_mask"])[0]))
                total += reward
                added.append(info.get("shaping", 0.0))
            totals.append(total)
        game = env.game
        mine = sum(p for seat, p in enumerate(game.points) if (seat == game.declarer) == (env.seat == game.declarer))
        assert totals[1] == pytest.approx(totals[0])
        assert totals[2] == pytest.approx(totals[0] + 0.5 * (2 * mine - sum(game.points)))
        assert any(added[:-1])
    with pytest.raises(SkatError, match="not a SkatEnv"):
        CardPointShaping(gymnasium.make("CartPole-v1"))
    for weight in ("1", None, float("nan")):
        with pytest.raises(SkatError, match=r"weight=.*, expected a finite number"):
            CardPointShaping(env, weight)


def test_mask_beside_the_observation():
    plain, both = SkatEnv("random"), SkatEnv("random", mask="observation")
    states = [env.reset(seed=1) for env in (plain, both)]
    for _ in range(60):
        (seen, info), (pair, told) = states
        assert pair.keys() == {"observation", "action_mask"}
        assert pair["observation"].tolist() == seen.tolist()
        assert pair["action_mask"].tolist() == info["action_mask"].tolist() == told["action_mask"].tolist()
        if info["action_mask"].any():
            action = int(np.flatnonzero(info["action_mask"])[0])
            states = [(seen, info) for seen, *_, info in (plain.step(action), both.step(action))]
        else:
            states = [env.reset() for env in (plain, both)]


def test_integers_of_other_libraries_are_actions():
    for action in (32, np.int64(32), np.array(32), torch.tensor(32)):
        env = SkatEnv("random", seat=1, illegal_action="raise")
        env.reset(seed=1)
        env.step(action)
        assert env.view.calls[0] == (1, "pass")


def test_observe_as():
    env = SkatEnv("random")
    seen, _ = env.reset(seed=1)
    assert env.observe_as("int8").tolist() == seen.tolist()
    assert env.observe_as("perfect")[:399].tolist() == seen.tolist()
    assert env.observe_as("perfect")[399:].sum() == 22


def test_registered_once_and_found_by_module_name():
    skatai.envs.register()
    assert gymnasium.spec("skatai/Skat-v0").vector_entry_point is not None
    code = "import gymnasium; env = gymnasium.make('skatai.envs:skatai/Skat-v0'); print(env.action_space)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Discrete(136)" in found.stdout
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        skatai.envs.Chess


@pytest.mark.parametrize(
    ("module", "package", "name"),
    [("skat_v0", "pettingzoo", "PettingZoo"), ("sb3", "stable_baselines3", "Stable-Baselines3")],
)
def test_a_missing_package_is_named(module, package, name):
    code = f"import sys; sys.modules['{package}'] = None; import skatai.envs; skatai.envs.{module}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"ImportError: skatai.envs.{module} needs {name}: pip install 'skatai[envs]'" in found.stderr
    assert "compiling" not in found.stderr
