import numpy as np
import pytest

from fastedit.draft.lookup.record import LONGEST, TRUSTED, CopyPrior, CopyRecord, Guess, Hazard, Odds

PRIOR = CopyPrior(odds=(0.2, 0.9), trusted=(0.1,) * 11, guessed=((0.3,) * 11, (0.2,) * 11, (0.1,) * 11))


def test_survival_is_the_product_of_not_breaking():
    assert Hazard([0.1] * 11).survival(0, 3).tolist() == pytest.approx([0.9, 0.81, 0.729])


def test_hazards_settle_at_the_rate_that_was_seen():
    hazard = Hazard([0.5] * 11, memory=1e9)
    draws = np.random.default_rng(0)
    for _ in range(4000):
        broke = bool(draws.random() < 0.05)
        hazard.observe(run=20, copied=int(not broke), broke=broke)
    assert hazard.survival(20, 1)[0] == pytest.approx(0.95, abs=0.02)
    assert hazard.survival(300, 1)[0] == pytest.approx(0.5)


def test_a_break_makes_the_next_draft_shorter_and_copying_makes_it_longer_again():
    hazard = Hazard([0.02] * 11)
    before = hazard.survival(40, 50)[-1]
    hazard.observe(run=40, copied=3, broke=True)
    after = hazard.survival(40, 50)[-1]
    for _ in range(30):
        hazard.observe(run=40, copied=20, broke=False)
    hazard.observe(run=0, copied=0, broke=True)
    assert after < before
    assert hazard.survival(40, 50)[-1] > after


def test_runs_beyond_the_longest_are_treated_as_the_longest():
    hazard = Hazard([0.01] * 11)
    hazard.observe(run=10 * LONGEST, copied=100, broke=True)
    assert len(hazard.survival(10 * LONGEST, 127)) == 127


def test_old_counts_fade():
    hazard = Hazard([0.5] * 11, memory=200.0)
    for _ in range(300):
        hazard.observe(run=20, copied=0, broke=True)
    for _ in range(300):
        hazard.observe(run=20, copied=3, broke=True)
    assert hazard.survival(20, 1)[0] == pytest.approx(0.75, abs=0.05)


def test_odds_follow_what_happens_from_their_prior_on():
    odds = Odds((0.2, 0.8), weight=4.0)
    assert odds[0] == pytest.approx(0.2)
    for _ in range(200):
        odds.observe(0, True)
    assert odds[0] > 0.95
    assert odds[1] == pytest.approx(0.8)


def test_a_guess_is_as_likely_as_its_kind_and_ends_where_it_is_hopeless():
    record = CopyRecord(PRIOR)
    weak, good = record.survival(Guess(0, 1, 0), 100), record.survival(Guess(0, 9, 1), 100)
    assert weak[0] == pytest.approx(0.2)
    assert good[:2].tolist() == pytest.approx([0.9, 0.81])
    assert len(weak) < len(good) < 100
    assert len(record.survival(Guess(0, 50, TRUSTED), 100)) == 100
