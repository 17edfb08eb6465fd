"""Who stands where when a match is over."""

from __future__ import annotations

from controller.rules.matches import MatchSettings, end_by_host, new_match, ranking, score_round

ANN, BO, CY = range(3)


def test_last_standing_ranks_by_rounds_lost_then_by_who_went_out_first_in_the_last_one() -> None:
    settings = MatchSettings("last-standing")
    match = new_match(3)
    for winner, loser in ((BO, ANN), (CY, BO), (ANN, BO)):
        match = score_round(settings, match, CY, winner, loser, (0, 0, 0), 0b111)
    assert match.lost == (1, 2, 0)
    ended = end_by_host(settings, match)
    assert ended.winners == (CY,)
    assert ranking(settings, ended) == (CY, ANN, BO)
    match = score_round(settings, match, CY, ANN, CY, (0, 0, 0), 0b111)
    assert ranking(settings, match) == (ANN, CY, BO)
