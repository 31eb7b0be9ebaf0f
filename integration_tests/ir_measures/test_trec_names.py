"""Measures by name where ir-measures reads trec_eval's names."""

import re

import ir_measures
import pytest
from beginnings import raises
from ir_measures import PRES, LastRel, PRES_est, parse_trec_measure

import pres_plugin


@pytest.mark.parametrize(
    ("name", "measures"),
    [
        ("pres_100", [PRES @ 100]),
        ("pres.100", [PRES @ 100]),
        ("pres.100,1000", [PRES @ 100, PRES @ 1000]),
        ("pres_est_1000", [PRES_est @ 1000]),
        ("last_rel", [LastRel]),
        ("last_rel ", [LastRel]),
        ("last_rel.10,100", [LastRel @ 10, LastRel @ 100]),
    ],
)
def test_names_in_trec_evals_style_are_ours_at_each_cutoff(name, measures):
    assert parse_trec_measure(name) == measures


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("PRES", "a cutoff is missing"),
        ("pres", "a cutoff is missing"),
        ("pres_0", "must be a positive whole number, got 0"),
        ("pres_x", "must be a positive whole number, got 'x'"),
        ("pres_١", "must be a positive whole number, got '١'"),
        ("pres_10,", "must be a positive whole number, got ''"),
        ("PRES_100", "measure 'PRES_100' is unknown"),
        ("pres@100", "did you mean PRES@100?"),
        ("PRES@100,1000", "measure 'PRES@100,1000' cannot be read"),
        ("PRES(foo=1)@100", "PRES has no parameter 'foo'"),
        ("rnorm_100", "the collection's size is missing"),
        ("wss_95", "the collection's size is missing; write WSS(N=...)@0.95"),
        ("effort_95", "the collection's size is missing; write Effort(N=...)@0.95"),
        ("wss_101", "must be above 0 and at most 1, got 101"),
        ("WSS(N=9)@95", "must be above 0 and at most 1, got 95"),
        ("Rnorm(N=0)", "must be a positive whole number, got 0"),
    ],
)
def test_a_wrong_name_of_ours_is_refused_with_ones_that_are_right(name, says):
    with raises(ValueError, re.escape(f"cannot read the measure {name!r}: ")) as refusal:
        parse_trec_measure(name)
    text = str(refusal.value)
    assert says in text
    for right in ("PRES@100", "Rnorm(N=11429)", "pres_100", "pres.100,1000"):
        assert right in text


# What trec_eval knows, its groups, and what nobody knows.
OTHER_NAMES = [
    *("map", "ndcg_cut.5,10", "recall_100,1000", "bpref", "set_F.0.5", "iprec_at_recall_.10"),
    *("official", "all_trec", "runid", "", " ", "AP", "presence_5", "pr", "norm", "rnormal"),
    *("xpres_5", "P_x", "P_0", "ndcg_cut_1.5", None, 5, ["map"], b"pres_100"),
]


def outcome(name):
    try:
        return [str(measure) for measure in ir_measures.parse_trec_measure(name)]
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", OTHER_NAMES, ids=repr)
def test_other_names_give_what_they_give_without_us(name, capsys):
    with_us = outcome(name), capsys.readouterr().out
    pres_plugin.deactivate()
    try:
        without_us = outcome(name), capsys.readouterr().out
    finally:
        pres_plugin.activate()
    assert with_us == without_us
