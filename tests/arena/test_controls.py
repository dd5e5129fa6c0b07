"""Control variates."""

from __future__ import annotations

import numpy as np
import pytest

from skatai.arena import play_game
from skatai.arena.controls import adjusted_interval, control_means, deal_controls
from skatai.deal import deals_from_seed
from skatai.rng import Rng


def test_controls_are_what_the_rule_player_makes_of_the_deal() -> None:
    deals = deals_from_seed(4, 12)
    for index, row in enumerate(deal_controls(deals)):
        record = play_game(["rule"] * 3, deals[index], deal_index=index)
        won = float(record.won)
        assert row.tolist() == [sum(record.list_points), won, record.value if record.declarer is not None else 0]


def test_means_belong_to_random_deals() -> None:
    means, covariance = control_means()
    sample = deal_controls(deals_from_seed(9, 2000))
    error = sample.std(axis=0) / np.sqrt(2000)
    assert np.all(abs(sample.mean(axis=0) - means) < 4 * error)
    assert np.sqrt(np.diag(covariance)) == pytest.approx(error * np.sqrt(2000 / 20_000), rel=0.1)
    assert control_means()[0] is means


def test_known_luck_is_taken_out() -> None:
    rng = Rng(3).numpy()
    control = rng.normal(size=(400, 1))
    found = adjusted_interval(2 + 5 * control[:, 0] + rng.normal(size=400), control, np.zeros(1), np.zeros((1, 1)))
    assert found is not None
    assert found.factor == pytest.approx(26, rel=0.25)
    assert found.interval.low < 2 < found.interval.high
    assert found.interval.half == pytest.approx(1.96 / 20, rel=0.1)


def test_an_unknown_mean_gives_nothing() -> None:
    """As many deals for the control's mean as in the tournament: half of what could be gained is lost again."""
    rng = Rng(4).numpy()
    control = rng.normal(size=(400, 1))
    values = 10 * control[:, 0] + 0.01 * rng.normal(size=400)
    found = adjusted_interval(values, control, np.zeros(1), np.array([[1 / 400]]))
    assert found is not None
    assert found.factor == pytest.approx(1, rel=0.15)


def test_too_few_deals() -> None:
    assert adjusted_interval([1.0] * 29, np.zeros((29, 3)), np.zeros(3), np.zeros((3, 3))) is None


def test_nothing_scatters() -> None:
    found = adjusted_interval([0.0] * 40, Rng(1).numpy().normal(size=(40, 2)), np.zeros(2), np.zeros((2, 2)))
    assert found is not None
    assert (found.interval.mean, found.interval.half, found.factor) == (0.0, 0.0, 1.0)
