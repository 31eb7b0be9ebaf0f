"""The test vectors in docs/vectors, scored through every interface.

The vectors do not contain WSS, TNR and LastRel. These are computed by hand from the ranks that
they list.

The cases without repeated documents are scored together: those with the same Nmax and the
same collection are the topics of one run, which saves hundreds of calls. Each door takes such
a :class:`Batch` and returns its values by topic and measure, with the means under "mean".
"""

import json
import re
from collections import defaultdict
from ctypes import c_float
from dataclasses import dataclass, field
from pathlib import Path

import effort_by_hand
import ir_measures
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import pres_eval
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from optional_libraries import in_duckdb, in_ibis

import pres_plugin
from pres_plugin import files, frames
from pres_plugin.formats import read_qrels, read_run
from pres_plugin.study import compare, explain, scoring, sweep

pytestmark = [
    # What ranx's own metrics say when they get compiled.
    pytest.mark.filterwarnings(r"ignore:unsafe cast from uint64 to int64:Warning:.*ranx"),
    # PyTerrier on recent versions of pandas, Ibis 12 on DuckDB 2, and PySpark 4.3 on pandas 3.
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

VECTORS = Path(__file__).parents[1] / "docs" / "vectors" / "pres-vectors.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
NAMED = {case["name"]: case for case in CASES}


@dataclass
class Batch:
    """Topics that are scored at the same Nmax and in the same collection.

    Attributes
    ----------
    duplicates : str
        What to do with repeated documents, for doors that have such an option.
    rows : list of tuples
        The topics, documents and scores of the run, in order.
    qrels : dict of str to dict
        By topic and document, the relevance.
    expected : dict of str to dict
        By topic, what the vectors expect: `n`, `ranks` and the measures.
    """

    n_max: int
    n_docs: int
    duplicates: str = "error"
    rows: list = field(default_factory=list)
    qrels: dict = field(default_factory=dict)
    expected: dict = field(default_factory=dict)

    def __str__(self):
        return f"Nmax {self.n_max}, N {self.n_docs}"

    @property
    def names(self):
        """Map the names in the vectors to those of ir-measures."""
        at = f"@{self.n_max}"
        return {
            "PRES": f"PRES{at}",
            "PRES_est": f"PRES_est{at}",
            "Rnorm": f"Rnorm(N={self.n_docs})",
            "AP": f"AP{at}",
            "R": f"R{at}",
            "WSS": f"WSS(N={self.n_docs})",
            "WSS, half of them": f"WSS(N={self.n_docs})@0.5",
            "WSS, about half": f"WSS(N={self.n_docs},rounding='nearest')@0.5",
            "TNR": f"TNR(N={self.n_docs})",
            "TNR, all": f"TNR(N={self.n_docs})@1",
            "TNR, about half": f"TNR(N={self.n_docs},rounding='nearest')@0.5",
            "LastRel": f"LastRel{at}",
            "LastRel of all": "LastRel",
        }

    @property
    def run(self):
        """By topic and document, the scores."""
        found = defaultdict(dict)
        for topic, doc, score in self.rows:
            found[topic][doc] = score
        return dict(found)

    @property
    def judged(self):
        """The judgements as rows."""
        return [(topic, *row) for topic, docs in self.qrels.items() for row in docs.items()]

    def add(self, case):
        """Add the topics of a case."""
        for topic, rows in case["run"].items():
            self.rows += [(f"{case['name']}/{topic}", doc, float(score)) for doc, score in rows]
        for topic, docs in case["qrels"].items():
            self.qrels[f"{case['name']}/{topic}"] = docs
            expected = case["expected"]["topics"][topic]
            by_hand = effort(expected["ranks"], expected["n"], self.n_docs, self.n_max)
            self.expected[f"{case['name']}/{topic}"] = expected | by_hand

    def with_mean(self):
        """Return the expected values, with the means over all topics under "mean"."""
        topics = self.expected.values()
        means = {name: sum(t[name] for t in topics) / len(topics) for name in self.names}
        return self.expected | {"mean": means}


def effort(ranks, n, n_docs, n_max):
    """Return WSS, TNR and LastRel by hand."""
    topic = ranks, n, n_docs
    return {
        "WSS": effort_by_hand.wss(*topic),
        "WSS, half of them": effort_by_hand.wss(*topic, 0.5),
        "WSS, about half": effort_by_hand.wss(*topic, 0.5, "nearest"),
        "TNR": effort_by_hand.tnr(*topic),
        "TNR, all": effort_by_hand.tnr(*topic, 1),
        "TNR, about half": effort_by_hand.tnr(*topic, 0.5, "nearest"),
        "LastRel": effort_by_hand.last_rel(ranks, n_max),
        "LastRel of all": effort_by_hand.last_rel(ranks),
    }


def batches(cases, duplicates="none"):
    """Put the cases together that treat repeated documents in this way."""
    found = {}
    for case in cases:
        if case["duplicates"] == duplicates:
            key = case["n_max"], case["n_docs"], "error" if duplicates == "none" else duplicates
            found.setdefault(key, Batch(*key)).add(case)
    return list(found.values())


def has_ties(case):
    """Whether two documents of a topic have the same score in 32 bits."""
    return any(
        len({c_float(score).value for _, score in rows}) < len(rows)
        for rows in case["run"].values()
    )


# --- Doors: each takes a batch and a folder, and returns values by topic and measure. ------------


def by_name(batch, rows):
    """From rows of topic, measure and value, with the names of the vectors."""
    names = {there: here for here, there in batch.names.items()}
    found = defaultdict(dict)
    for topic, measure, value in rows:
        found[topic][names[str(measure)]] = value
    return found


def measures(batch):
    return [ir_measures.parse_measure(name) for name in batch.names.values()]


def by_ir_measures(batch, qrels, run):
    results = ir_measures.evaluator(measures(batch), qrels).calc(run)
    found = by_name(batch, results.per_query)
    return found | by_name(batch, (("mean", *mean) for mean in results.aggregated.items()))


def by_dicts(batch, folder):
    return by_ir_measures(batch, batch.qrels, batch.run)


def by_dataframes(batch, folder):
    qrels = pd.DataFrame(batch.judged, columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(batch.rows, columns=["query_id", "doc_id", "score"])
    return by_ir_measures(batch, qrels, run)


def by_generators(batch, folder):
    qrels = (ir_measures.Qrel(*row) for row in batch.judged)
    run = (ir_measures.ScoredDoc(*row) for row in batch.rows)
    return by_ir_measures(batch, qrels, run)


def pyterrier_frames(batch):
    columns = ["qid", "docno"]
    return (
        pd.DataFrame(batch.rows, columns=[*columns, "score"]),
        pd.DataFrame({"qid": list(batch.qrels), "query": "valve"}),
        pd.DataFrame(batch.judged, columns=[*columns, "label"]),
    )


def by_experiment(batch, folder):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    run, topics, qrels = pyterrier_frames(batch)
    asked = ([run], topics, qrels, measures(batch))
    by_topic = pt.Experiment(*asked, names=["run"], perquery=True, filter_by_qrels=True)
    means = pt.Experiment(*asked, names=["run"], filter_by_qrels=True)
    found = by_name(batch, by_topic[["qid", "measure", "value"]].itertuples(index=False))
    row = means.iloc[0].drop("name")
    return found | by_name(batch, (("mean", *mean) for mean in row.items()))


def by_evaluate(batch, folder):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    run, _, qrels = pyterrier_frames(batch)
    found = pt.Evaluate(run, qrels, metrics=measures(batch), perquery=True)
    rows = ((t, m, value) for t, values in found.items() for m, value in values.items())
    means = pt.Evaluate(run, qrels, metrics=measures(batch))
    return by_name(batch, rows) | by_name(batch, (("mean", *mean) for mean in means.items()))


def by_ranx(batch, folder):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    n_max = batch.n_max
    names = {
        f"pres@{n_max}": "PRES",
        f"pres_est@{n_max}": "PRES_est",
        f"rnorm.{batch.n_docs}": "Rnorm",
        f"map@{n_max}": "AP",
        f"recall@{n_max}": "R",
        f"wss.{batch.n_docs}": "WSS",
        f"wss.{batch.n_docs}@50": "WSS, half of them",
        f"wss.{batch.n_docs}.nearest@50": "WSS, about half",
        f"tnr.{batch.n_docs}": "TNR",
        f"tnr.{batch.n_docs}@100": "TNR, all",
        f"tnr.{batch.n_docs}.nearest@50": "TNR, about half",
        f"last_rel@{n_max}": "LastRel",
        "last_rel": "LastRel of all",
    }
    run = ranx.Run(with_long_ids(batch.run))
    qrels = ranx.Qrels(with_long_ids(batch.qrels))
    means = ranx.evaluate(qrels, run, list(names), make_comparable=True)
    found = {"mean": {names[name]: value for name, value in means.items()}}
    for name, values in run.scores.items():
        for topic, value in values.items():
            found.setdefault(topic, {})[names[name]] = value
    return found


def with_long_ids(of_topics):
    """Make ids as long as in our other tests of ranx, so that numba need not compile it again."""
    return {
        topic: {doc.ljust(9, "-"): value for doc, value in docs.items()}
        for topic, docs in of_topics.items()
    }


def tables(batch):
    """Return the run and the judgements as tables of Arrow."""
    return _table(batch.rows, "score", pa.float64()), _table(batch.judged, "relevance", pa.int64())


def _table(rows, name, kind):
    names, kinds = ("query_id", "doc_id", name), (pa.string(), pa.string(), kind)
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return pa.table([pa.array(*column) for column in zip(columns, kinds, strict=True)], names)


def in_frames(make, rows):
    """Score the batch in a dataframe library; `rows` returns a result as a list of dicts."""

    def by_frames(batch, folder):
        run, qrels = map(make, tables(batch))
        result = frames.score(run, qrels, list(batch.names.values()), duplicates=batch.duplicates)
        return by_name(batch, ((r["query_id"], r["measure"], r["value"]) for r in rows(result)))

    return by_frames


LIBRARIES = {
    "pandas": (pa.Table.to_pandas, lambda frame: frame.to_dict("records")),
    "polars": (pl.from_arrow, pl.DataFrame.to_dicts),
    "polars, lazy": (lambda t: pl.from_arrow(t).lazy(), lambda f: f.collect().to_dicts()),
    "PyArrow": (lambda table: table, pa.Table.to_pylist),
    "DuckDB": (in_duckdb, lambda relation: relation.to_arrow_table().to_pylist()),
    "Ibis": (in_ibis, lambda table: table.to_pyarrow().to_pylist()),
}


def written(batch, folder, suffix="", copies=1):
    """Write the batch, and return the paths of the judgements and of one or more runs."""
    paths = [folder / f"qrels{suffix}", *(folder / f"run{i}{suffix}" for i in range(copies))]
    if suffix:
        run, qrels = tables(batch)
        for path, table in zip(paths, [qrels, *[run] * copies], strict=True):
            pl.from_arrow(table).write_parquet(path)
    else:
        qrels = "".join(f"{topic} 0 {doc} {n}\n" for topic, doc, n in batch.judged)
        run = "".join(f"{topic} Q0 {doc} 0 {s} t\n" for topic, doc, s in batch.rows)
        for path, text in zip(paths, [qrels, *[run] * copies], strict=True):
            path.write_text(text, encoding="utf-8")
    return paths


def in_files(suffix):
    def by_score(batch, folder):
        found = files.score(
            *written(batch, folder, suffix),
            list(batch.names.values()),
            duplicates=batch.duplicates,
        )
        return by_name(batch, found.select("query_id", "measure", "value").rows())

    return by_score


def by_readers(batch, folder):
    qrels, run = written(batch, folder)
    return by_ir_measures(batch, read_qrels(qrels), read_run(run, duplicates=batch.duplicates))


class RefusedError(Exception):
    """What the command wrote to stderr when it ended with an exit code other than 0."""


def output_of(batch, subcommand, *arguments):
    """Run a subcommand in this process, and return what it prints, with full precision."""
    options = ["--duplicates", batch.duplicates, "-p", "-1"]
    result = pres_eval(subcommand, *arguments, *options)
    if result.returncode:
        raise RefusedError(result.stderr)
    return result.stdout


def in_command(suffix="", beside=""):
    """Score by our measures alone, which streams the files, or beside one of ir-measures."""

    def by_command(batch, folder):
        names = " ".join([*batch.names.values(), beside])
        printed = output_of(
            batch, "score", *written(batch, folder, suffix), "-m", names, "-q", "-f", "tsv"
        )
        rows = [line.split("\t")[1:] for line in printed.splitlines()]
        ours = ((t, m, float(value)) for t, m, value in rows if m != beside)
        found = by_name(batch, ours)
        found["mean"] = found.pop("all")
        return found

    return by_command


def by_study(batch, folder):
    scored = scoring.score(batch.qrels, {"run": batch.run}, list(batch.names.values()))
    return of_scores(batch, scored)


def by_compare(batch, folder):
    runs = {"one": batch.run, "other": batch.run}
    return of_scores(
        batch, compare.compare(batch.qrels, runs, [*comparable(batch).values()]).scores
    )


def comparable(batch):
    """Map the names in the vectors to those of ir-measures, without those without direction."""
    return {name: there for name, there in batch.names.items() if "LastRel" not in name}


def of_scores(batch, scored):
    table = scored.by_topic().loc[scored.runs[0]].stack()
    found = by_name(batch, ((topic, name, value) for (topic, name), value in table.items()))
    means = dict(zip(scored.measures, scored.means[0].tolist(), strict=True))
    return found | by_name(batch, (("mean", *mean) for mean in means.items()))


#: The measures that are computed at Nmax, as in a sweep.
SWEPT = ("PRES", "PRES_est", "AP", "R", "LastRel")


def by_sweep(batch, folder):
    swept = sweep.sweep(batch.qrels, {"run": batch.run}, list(SWEPT), [batch.n_max])
    return {"mean": swept.table().iloc[0].drop(["n_max", "run"]).to_dict()}


def by_compare_command(batch, folder):
    asked = ("-m", " ".join(comparable(batch).values()))
    printed = output_of(batch, "compare", *written(batch, folder, copies=2), *asked)
    row = first_rows(printed)["Mean scores"]
    return {"mean": {name: float(row[there]) for name, there in comparable(batch).items()}}


def by_sweep_command(batch, folder):
    asked = ("-m", " ".join(SWEPT), "--n-max", batch.n_max)
    rows = first_rows(output_of(batch, "sweep", *written(batch, folder), *asked))
    return {"mean": {name: float(rows[f"{name} by Nmax"][str(batch.n_max)]) for name in SWEPT}}


def first_rows(printed):
    """Return the first row of each table that a study prints: by title, then by column."""
    lines = [re.split(r" {2,}", line.strip()) for line in printed.splitlines()]
    rules = [i for i, line in enumerate(lines) if set("".join(line)) == {"-"}]
    with_rows = [i for i in rules if len(lines[i + 1]) == len(lines[i])]
    return {lines[i - 3][0]: dict(zip(lines[i - 1], lines[i + 1], strict=True)) for i in with_rows}


#: Doors that order documents as trec_eval does.
DOORS = {
    "ir-measures, dicts": by_dicts,
    "ir-measures, DataFrames": by_dataframes,
    "ir-measures, generators": by_generators,
    "PyTerrier, Experiment": by_experiment,
    "PyTerrier, Evaluate": by_evaluate,
    **{f"frames, {name}": in_frames(*library) for name, library in LIBRARIES.items()},
    "files, TREC": in_files(""),
    "files, Parquet": in_files(".parquet"),
    "trec": by_readers,
    "study.scoring": by_study,
    "study.compare": by_compare,
    "study.sweep": by_sweep,
    "score, TREC": in_command(),
    "score, Parquet": in_command(".parquet"),
    "score beside nDCG, TREC": in_command(beside="nDCG@7"),
    "score beside nDCG, Parquet": in_command(".parquet", beside="nDCG@7"),
    "compare": by_compare_command,
    "sweep": by_sweep_command,
}

#: Doors that take seconds.
SLOW = {"frames, Ibis"}


def check(door, batch, folder):
    """Check each value that a door returns: those of the topics, the means, or both."""
    found, expected = door(batch, folder), batch.with_mean()
    assert found
    assert found.keys() - {"mean"} in (set(), expected.keys() - {"mean"})
    for topic, values in found.items():
        assert {*SWEPT} - {"LastRel"} <= values.keys()
        wanted = {name: expected[topic][name] for name in values}
        assert values == pytest.approx(wanted, rel=0, abs=1e-12), (str(batch), topic)


@pytest.mark.parametrize(
    "door", [pytest.param(d, marks=[pytest.mark.release] * (d in SLOW)) for d in DOORS]
)
def test_vectors_are_scored_as_expected(door, tmp_path):
    for batch in batches(CASES):
        check(DOORS[door], batch, tmp_path)


@pytest.mark.release
@pytest.mark.xdist_group("spark")
def test_vectors_are_scored_as_expected_in_spark(spark_session):
    session = spark_session.newSession()
    session.conf.set("spark.sql.shuffle.partitions", "1")

    def in_spark(table):
        kinds = {"string": "string", "double": "double", "int64": "bigint"}
        schema = ", ".join(f"{column.name} {kinds[str(column.type)]}" for column in table.schema)
        return session.createDataFrame([tuple(row.values()) for row in table.to_pylist()], schema)

    door = in_frames(in_spark, lambda frame: [row.asDict() for row in frame.collect()])
    for batch in batches(CASES):
        check(door, batch, None)


# --- AP ≤ PRES ≤ R: for r ≤ Nmax, i/r = 1 - (r-i)/r ≤ 1 - (r-i)/Nmax ≤ 1. ------------------------

RANX = pytest.param("ranx", marks=pytest.mark.xdist_group("ranx"))


def random_batch(rng):
    """Return 20 topics, in which 32-bit scores and ids tie and relevant documents are missed."""
    batch = Batch(rng.randint(1, 12), n_docs=60)
    for topic in map("q{:02}".format, range(20)):
        docs = rng.sample([f"d{i:02}" for i in range(40)], rng.randint(1, 25))
        batch.rows += [(topic, doc, rng.choice([1.0, 1.5, rng.random()])) for doc in docs]
        relevant = rng.sample([f"d{i:02}" for i in range(50)], rng.randint(1, 20))
        batch.qrels[topic] = dict.fromkeys(relevant, 1)
    return batch


@pytest.mark.parametrize("door", [*(door for door in DOORS if door not in SLOW), RANX])
@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rng=st.randoms(use_true_random=False))
def test_no_topic_has_a_pres_below_its_ap_or_above_its_recall(door, rng, tmp_path):
    for values in {**DOORS, "ranx": by_ranx}[door](random_batch(rng), tmp_path).values():
        assert values["AP"] - 1e-12 <= values["PRES"] <= values["R"] + 1e-12


# --- Python functions: from the ranks that the vectors list. -------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_functions_score_the_ranks_of_the_vectors(case):
    n_max, n_docs = case["n_max"], case["n_docs"]
    for topic in case["expected"]["topics"].values():
        ranks, n = topic["ranks"], topic["n"]
        found = {
            "PRES": pres_plugin.pres(ranks, n, n_max),
            "PRES_est": pres_plugin.pres_est(ranks, n, n_max),
            "Rnorm": pres_plugin.rnorm(ranks, n, n_docs),
            "AP": pres_plugin.average_precision(ranks, n, n_max),
            "R": pres_plugin.recall(ranks, n, n_max),
            "WSS": pres_plugin.wss(ranks, n, n_docs),
            "WSS, half of them": pres_plugin.wss(ranks, n, n_docs, recall=0.5),
            "WSS, about half": pres_plugin.wss(ranks, n, n_docs, 0.5, "nearest"),
            "TNR": pres_plugin.tnr(ranks, n, n_docs),
            "TNR, all": pres_plugin.tnr(ranks, n, n_docs, recall=1),
            "TNR, about half": pres_plugin.tnr(ranks, n, n_docs, 0.5, "nearest"),
            "LastRel": pres_plugin.last_rel(ranks, n, n_max),
            "LastRel of all": pres_plugin.last_rel(ranks, n),
        }
        topic = topic | effort(ranks, n, n_docs, n_max)
        assert found == pytest.approx({name: topic[name] for name in found}, rel=0, abs=1e-12)


# --- explain: one topic per call. Topics without relevant documents have nothing to explain. -----


def by_explain(batch, topic, folder):
    (found,) = explain.explain(batch.qrels, {"run": batch.run}, topic, batch.n_max)
    return {"PRES": found.pres, "R": found.recall, "n": found.n}


def by_explain_command(batch, topic, folder):
    asked = ("--query", topic, "--n-max", batch.n_max)
    row = first_rows(output_of(batch, "explain", *written(batch, folder), *asked))["Scores"]
    return {"PRES": float(row["PRES"]), "R": float(row["recall"]), "n": int(row["n"])}


@pytest.mark.parametrize("door", [by_explain, by_explain_command])
def test_explain_shows_the_values_of_the_vectors(door, tmp_path):
    for batch in batches(CASES):
        for topic, expected in batch.expected.items():
            if expected["n"]:
                found = door(batch, topic, tmp_path)
                wanted = {name: expected[name] for name in found}
                assert found == pytest.approx(wanted, rel=0, abs=1e-12), topic


# --- Repeated documents: rejected, or one of the rows counts. ------------------------------------

IN_COMMAND = [door for door in DOORS if door.startswith(("score", "compare", "sweep"))]
IN_FRAMES = [door for door in DOORS if door.startswith("frames")]
WITH_OPTION = ["files, TREC", "files, Parquet", "trec", *IN_COMMAND]
KEEP = [
    *((door, kept) for door in WITH_OPTION for kept in ("first", "last")),
    *((door, "highest") for door in IN_FRAMES),
    # Without an option: in these frameworks, the last row counts.
    *((door, "last") for door in DOORS if door.startswith(("ir-measures", "PyTerrier"))),
]


def repeated(pairs):
    return [
        pytest.param(*pair, marks=[pytest.mark.release] * (pair[0] in SLOW), id=", ".join(pair))
        for pair in pairs
    ]


@pytest.mark.parametrize(("door", "kept"), repeated(KEEP))
def test_one_row_of_a_repeated_document_counts(door, kept, tmp_path):
    for batch in batches(CASES, kept):
        check(DOORS[door], batch, tmp_path)


@pytest.mark.parametrize("door", [*WITH_OPTION, *sorted(set(IN_FRAMES) - SLOW)])
def test_repeated_documents_are_rejected_by_default(door, tmp_path):
    for batch in batches(CASES, "first"):
        batch.duplicates = "error"
        with pytest.raises(Exception, match=r"'repeated-(not-)?relevant-first/q1'"):
            DOORS[door](batch, tmp_path)


# --- A run without results: scored 0 where that can be, else rejected. ---------------------------

REJECT_EMPTY_RUNS = ("score", "compare", "sweep", "files", "trec", "PyTerrier")


@pytest.mark.parametrize("door", [d for d in DOORS if d not in SLOW])
def test_a_run_without_results_scores_0_or_is_rejected(door, tmp_path):
    (batch,) = batches([NAMED["empty-run"]])
    if door.startswith(REJECT_EMPTY_RUNS):
        with pytest.raises(Exception, match=r"is empty|[Nn]o (results|rows)"):
            DOORS[door](batch, tmp_path)
    else:
        check(DOORS[door], batch, tmp_path)


# --- ranx: its own order. ------------------------------------------------------------------------


@pytest.mark.xdist_group("ranx")
def test_ranx_scores_the_vectors_whose_scores_all_differ(tmp_path):
    # ranx compares 64-bit scores, and orders equal ones by its own sort, not by id.
    in_ranx = [case for case in CASES if not has_ties(case)]
    left_out = {case["name"] for case in CASES if case not in in_ranx}
    assert all(name.startswith("ties") for name in left_out)
    for batch in batches(in_ranx):
        check(by_ranx, batch, tmp_path)


@pytest.mark.xdist_group("ranx")
def test_ranx_compares_64_bits(tmp_path):
    # The reason why ties-in-32-bits is left out above.
    (batch,) = batches([NAMED["ties-in-32-bits"]])
    assert by_ranx(batch, tmp_path)["mean"]["PRES"] == 1.0
    assert batch.with_mean()["mean"]["PRES"] == 0.8
