"""What users write who check their types: none of it is to be reported."""

from __future__ import annotations

import ir_measures
import polars as pl
from ir_measures import AP, R

import pres_plugin
import pres_plugin.files
from pres_plugin import PRES, TNR, WSS, InputError, LastRel, PRES_est, Rnorm
from pres_plugin.files import read_qrels, read_run
from pres_plugin.frames import PRES as OUR_PRES
from pres_plugin.frames import Measure, MeasureError, score
from pres_plugin.study.compare import compare
from pres_plugin.study.explain import explain
from pres_plugin.study.gate import gate
from pres_plugin.study.robustness import robustness
from pres_plugin.study.sweep import sweep


def from_ranks() -> float:
    """The kernel, for one topic."""
    ranks: list[int] = pres_plugin.relevant_ranks(["EP3", "EP1"], relevant={"EP1", "EP2"})
    alone: float = pres_plugin.pres(ranks, n_relevant=2, n_max=10)
    effort = pres_plugin.wss(ranks, 2, 50, recall=1)
    effort += pres_plugin.tnr(ranks, 2, 50, rounding="nearest")
    effort += pres_plugin.last_rel(ranks, n_relevant=2, n_max=10)
    alone += pres_plugin.pres_est([1, 98], 4, 100)
    return alone + pres_plugin.rnorm(ranks, n_relevant=2, n_docs=50) + effort


def from_lists() -> dict[str, float]:
    """A list of ids: a float for one measure, a dict for several."""
    alone: float = pres_plugin.score(["EP3", "EP1"], {"EP1", "EP2"}, "PRES@10")
    several = pres_plugin.score(["EP3", "EP1"], {"EP1": 2}, ["PRES(rel=2)@10", PRES @ 10])
    return several | {"alone": alone}


def from_files(qrels_path: str, run_path: str) -> dict[str, float]:
    """Measures as objects of ir-measures, on files."""
    try:
        qrels = read_qrels(qrels_path)
        run = read_run(run_path, duplicates="first")
    except InputError as error:
        raise SystemExit(str(error)) from error
    measures = [
        *(PRES(rel=2) @ 10, PRES(cutoff=10, judged_only=True), PRES_est @ 1000),
        *(Rnorm(N=11429, rel=2) @ 1000, Rnorm(judged_only=True), LastRel, LastRel(rel=2) @ 100),
        *(WSS(N=11429) @ 0.95, TNR(N=9, recall=0.5, rounding="nearest")),
    ]
    one: float | int = (PRES @ 100).calc_aggregate(qrels, run)
    scores = ir_measures.calc_aggregate([*measures, AP, R @ 10], qrels, run)
    return {"one": one, **{str(measure): scores[measure] for measure in measures}}


def from_frames(run: pl.DataFrame, qrels: pl.DataFrame) -> pl.DataFrame:
    """Measures as our own objects, on frames and on files."""
    measures: list[Measure] = [OUR_PRES @ 100, OUR_PRES(rel=2) @ 10]
    try:
        print(pres_plugin.files.score("qrels.txt", "a.run", [*measures, "AP"]))
        scores: pl.DataFrame = score(run, qrels, measures, by="run")
    except (InputError, MeasureError) as error:
        raise SystemExit(str(error)) from error
    return scores


def studies(qrels_path: str, run_paths: list[str]) -> None:
    """The studies, with runs read beforehand or as they are needed."""
    qrels = read_qrels(qrels_path)
    runs = {path: read_run(path) for path in run_paths}
    found = compare(qrels, runs, [PRES @ 100, "AP"], test="t", correction="holm", confidence=0.9)
    print(found.scores.table().to_string(), found.pairs, found.intervals)
    print(gate(qrels, runs, PRES @ 100, margin=0.01, least=0.5).verdict)
    for explanation in explain(qrels, runs, "q1", 100, rel=2):
        lowest, highest = explanation.bounds
        print(explanation.sentences(), lowest <= explanation.pres <= highest)
    print(sweep(qrels, runs, [PRES, "R"], range(10, 100, 10)).table())
    print(sweep(qrels, runs, [PRES, "R"], {50: 0.5, 100: 1}).expected())
    as_needed = ((path, read_run(path)) for path in run_paths)
    print(robustness(qrels, as_needed, [PRES @ 100], samples=5).by_fraction())


def frameworks() -> list[str]:
    """What the measures are connected to."""
    pres_plugin.activate()
    return [f"{one.framework} {one.version}" for one in pres_plugin.status() if one.connected]
