"""One agreement: every interface scores every case as the definitions of the measures say.

A door takes a :class:`Case` and a folder, and returns values by topic and measure, with means
under "all". Expected values come from ``by_definition.py``, which uses neither the package nor a
framework. AP and R of ir-measures and of PyTerrier come from trec_eval, so the definitions order
documents as trec_eval does.
"""

import gzip
import json
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import by_definition
import ir_measures
import pandas as pd
import polars as pl
import pytest
import written
from beginnings import raises, warns
from command import pres_eval
from frame_libraries import LIBRARIES as IN_MEMORY
from frame_libraries import MARKS, OF_SPARK, ORDERED, Library
from scored_topics import (
    MEASURES,
    collection,
    gapped_table,
    qrels_table,
    run_table,
)
from scored_topics import check as check_rows
from scored_topics import expected as expected_rows
from spark_sessions import configured, frame, local, require

import pres_plugin
from pres_plugin import files, frames
from pres_plugin.files import read_qrels, read_run
from pres_plugin.study import scoring

pytestmark = [
    # What ranx's own metrics say when they get compiled.
    pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64:Warning:.*ranx"),
    # PyTerrier on recent versions of pandas, and Ibis 12 on DuckDB 2.
    pytest.mark.filterwarnings("ignore:The inplace keyword"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    # PySpark 4.3 with pandas 3.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]

VECTORS = Path(__file__).parents[1] / "docs" / "vectors" / "pres-vectors.json"


@dataclass
class Case:
    """A run to score: its rows in order, judgements by topic, and measures of ir-measures.

    Of repeated documents, the rows that `duplicates` says count.
    """

    rows: list
    qrels: dict
    measures: list
    duplicates: str = "error"

    @cached_property
    def run(self):
        """By topic and document, the score that counts."""
        found = defaultdict(dict)
        for topic, doc, score in self.rows:
            before = found[topic].get(doc)
            if before is not None and self.duplicates == "first":
                score = before
            elif before is not None and self.duplicates == "highest":
                score = max(before, score)
            found[topic][doc] = score
        return dict(found)

    @cached_property
    def expected(self):
        """By topic and measure, the values by definition."""
        return by_definition.values(self.measures, self.qrels, self.run)

    @property
    def parsed(self):
        return [ir_measures.parse_measure(measure) for measure in self.measures]


# --- Cases. --------------------------------------------------------------------------------------


@cache
def vectors():
    return json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def measures_of(vector):
    """Map the names of a vector to the measures; others are those that vectors do not contain."""
    at, of = f"@{vector['n_max']}", f"N={vector['n_docs']}"
    return {
        **{name: f"{name}{at}" for name in ("PRES", "PRES_est", "AP", "R")},
        "Rnorm": f"Rnorm({of})",
    }


def effort(vector):
    of = f"N={vector['n_docs']}"
    return [
        *(f"WSS({of})", f"WSS({of})@0.5", f"WSS({of},rounding='nearest')@0.5", f"TNR({of})"),
        *(f"TNR({of})@1", f"TNR({of},rounding='nearest')@0.5", f"Effort({of})", "LastRel"),
        f"LastRel@{vector['n_max']}",
    ]


@cache
def of_vectors(duplicates="none"):
    """The vectors that treat repeated documents like this; those with the same N are one run."""
    found = {}
    for vector in vectors():
        if vector["duplicates"] != duplicates:
            continue
        measures = [*measures_of(vector).values(), *effort(vector)]
        kept = "error" if duplicates == "none" else duplicates
        case = found.setdefault(str(measures), Case([], {}, measures, kept))
        for topic, rows in vector["run"].items():
            case.rows += [(f"{vector['name']}/{topic}", doc, float(score)) for doc, score in rows]
        case.qrels |= {f"{vector['name']}/{topic}": d for topic, d in vector["qrels"].items()}
    return list(found.values())


@cache
def of_topics(seeds=(0,)):
    """Ties, grades, negative relevance, missing topics, and cutoffs beyond 32 bits."""
    collections = map(collection, seeds)
    return [Case(written.rows_of(run), qrels, MEASURES) for qrels, run in collections]


def of_more_topics():
    return of_topics(tuple(range(1, 6)))


@cache
def of_clef_tar(folder, name):
    """A run of CLEF 2017's systematic reviews; of repeated documents, the last row counts."""
    run = {topic: dict(docs) for topic, docs in clef_rows(folder / "runs" / name, 4, float).items()}
    measures = [
        *("PRES@100", "PRES(judged_only=True)@50", "PRES_est@10", "Rnorm(judged_only=True)"),
        *("Rnorm(N=11429000)@100", "AP", "AP@50", "R@100", "WSS(judged_only=True)", "LastRel"),
        "Effort(N=11429000)@0.5",
    ]
    qrels = clef_rows(folder / "qrels.abstract.txt.gz", 3, int)
    return [
        Case(written.rows_of(run), {topic: dict(docs) for topic, docs in qrels.items()}, measures)
    ]


def clef_rows(path, column, kind):
    """By topic, the document and the number in a column of each line."""
    found = defaultdict(list)
    with gzip.open(path, "rt") as file:
        for fields in map(str.split, file):
            found[fields[0]].append((fields[2], kind(fields[column])))
    return found


# --- Doors that order documents as trec_eval does. -----------------------------------------------


def by_lists(case, folder):
    """A function call for each topic."""
    return {
        (topic, measure): value
        for topic, judged in case.qrels.items()
        for measure, value in pres_plugin.score(
            by_definition.ranking(case.run.get(topic, {})), judged, case.measures
        ).items()
    }


FUNCTIONS = {"AP": "average_precision", "R": "recall", "LastRel": "last_rel"}


def by_functions(case, folder):
    """A function call for each topic and measure, with the ranks of relevant documents."""
    found, run = {}, case.run
    for topic, judged in case.qrels.items():
        for measure in case.measures if topic in run else ():
            name, ranks, n, params = by_definition.topic(measure, judged, run[topic])
            function = getattr(pres_plugin, FUNCTIONS.get(name, name.lower()))
            found[topic, measure] = function(ranks, n, **params)
    return found


def by_ir_measures(case, qrels, run):
    results = ir_measures.evaluator(case.parsed, qrels).calc(run)
    found = {(m.query_id, str(m.measure)): m.value for m in results.per_query}
    return found | {("all", str(measure)): mean for measure, mean in results.aggregated.items()}


def by_dicts(case, folder):
    return by_ir_measures(case, case.qrels, case.run)


def by_dataframes(case, folder):
    qrels = pd.DataFrame(written.rows_of(case.qrels), columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame(case.rows, columns=["query_id", "doc_id", "score"])
    return by_ir_measures(case, qrels, run)


def by_generators(case, folder):
    qrels = (ir_measures.Qrel(*row) for row in written.rows_of(case.qrels))
    return by_ir_measures(case, qrels, (ir_measures.ScoredDoc(*row) for row in case.rows))


def by_experiment(case, folder):
    pt = pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
    run = pd.DataFrame(case.rows, columns=["qid", "docno", "score"])
    qrels = pd.DataFrame(written.rows_of(case.qrels), columns=["qid", "docno", "label"])
    topics = pd.DataFrame({"qid": list(case.qrels), "query": "valve"})
    means, rows = pt.Experiment(
        [run], topics, qrels, case.parsed, names=["run"], perquery="both", filter_by_qrels=True
    )
    values = zip(zip(rows["qid"], rows["measure"], strict=True), rows["value"], strict=True)
    return dict(values) | {("all", name): means[name][0] for name in case.measures}


def in_frames(library):
    def by_frames(case, folder):
        run, qrels = run_table(case.rows), library.frame(qrels_table(case.qrels))
        if case.duplicates in ("first", "last"):  # the rows in their order
            run = pl.DataFrame(case.rows, run.column_names, orient="row").to_arrow()
        result = frames.score(library.frame(run), qrels, case.measures, duplicates=case.duplicates)
        return {(r["query_id"], r["measure"]): r["value"] for r in library.rows(result)}

    return by_frames


def write(case, folder):
    """Write the case as TREC files, and return the paths of the judgements and of the run."""
    (folder / "qrels").write_bytes(written.trec_qrels(case.qrels))
    rows = "".join(f"{topic} Q0 {doc} 0 {s!r} t\n" for topic, doc, s in case.rows)
    (folder / "run").write_text(rows, encoding="utf-8")
    return folder / "qrels", folder / "run"


def by_files(case, folder):
    found = files.score(*write(case, folder), case.measures, duplicates=case.duplicates)
    return {row[:2]: row[2] for row in found.select("query_id", "measure", "value").rows()}


def by_readers(case, folder):
    qrels, run = write(case, folder)
    return by_ir_measures(case, read_qrels(qrels), read_run(run, duplicates=case.duplicates))


class RefusedError(Exception):
    """What the command wrote to stderr when it ended with an exit code other than 0."""


def in_command(beside=""):
    """Score by our measures alone, which streams the files, or beside one of ir-measures."""

    def by_command(case, folder):
        asked = " ".join([*case.measures, beside])
        options = ("-q", "-f", "json", "-p", -1, "--duplicates", case.duplicates)
        result = pres_eval("score", *write(case, folder), "-m", asked, *options)
        if result.returncode:
            raise RefusedError(result.stderr)
        rows = json.loads(result.stdout)
        return {(r["query_id"], r["measure"]): r["value"] for r in rows if r["measure"] != beside}

    return by_command


def by_study(case, folder):
    scores = scoring.score(case.qrels, {"run": case.run}, case.measures)
    topics = [*scores.topics, "all"]
    values = [*scores.values[0].tolist(), scores.means[0].tolist()]
    return {
        (topic, measure): value
        for topic, of_topic in zip(topics, values, strict=True)
        for measure, value in zip(scores.measures, of_topic, strict=True)
    }


# --- ranx, whose ties fall otherwise: scores that do not tie take the place of ties. -------------

RANX_NAMES = {"AP": "map", "R": "recall", "LastRel": "last_rel"}


def in_ranx(measure):
    """Return the measure as ranx writes it, or None if ranx does not have it."""
    name, params, at = by_definition.read(measure)
    text = RANX_NAMES.get(name, name.lower())
    if "judged_only" in params:
        if name in ("AP", "R"):  # ranx's own
            return None
        text += ".judged"
    if "N" in params:
        text += f".{params['N']}"
    text += ".nearest" * (params.get("rounding") == "nearest")
    if at is not None:
        text += f"@{round(100 * at) if name in by_definition.OF_RECALL else at}"
    return text + (f"-l{params['rel']}" if "rel" in params else "")


def as_long(docs):
    """Make ids as long as in our other tests of ranx, so that numba need not compile it again."""
    return {doc.ljust(9, "-"): value for doc, value in docs.items()}


def by_ranx(case, folder):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    untied = {t: by_definition.ranking(docs) for t, docs in case.run.items() if docs}
    run = ranx.Run({t: as_long(by_definition.as_scores(docs)) for t, docs in untied.items()})
    qrels = ranx.Qrels({topic: as_long(docs) for topic, docs in case.qrels.items()})
    names = {in_ranx(measure): measure for measure in case.measures if in_ranx(measure)}
    means = ranx.evaluate(qrels, run, list(names), make_comparable=True)
    found = {("all", names[name]): mean for name, mean in means.items()}
    for name, values in run.scores.items():
        found |= {(topic, names[name]): value for topic, value in values.items()}
    return found


# --- The walk. -----------------------------------------------------------------------------------


def spark_frame(table):
    from pyspark.sql import SparkSession

    return frame(SparkSession.active(), table)


SPARK = Library("Spark", spark_frame, lambda f: [row.asDict() for row in f.collect()])
LIBRARIES = {f"frames, {lib.name}": lib for lib in (*IN_MEMORY, SPARK)}


@pytest.fixture(scope="module")
def spark_here(tmp_path_factory):
    require("pyspark")
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    with local(tmp_path_factory) as session, configured(session, settings):
        yield session


@pytest.fixture(autouse=True)
def started(request):
    """Start Spark for its door."""
    call = getattr(request.node, "callspec", None)
    if call and call.params.get("door") == "frames, Spark":
        request.getfixturevalue("spark_here")


DOORS = {
    "pres_plugin.score": by_lists,
    "pres_plugin.pres, …": by_functions,
    "ir-measures, dicts": by_dicts,
    "ir-measures, DataFrames": by_dataframes,
    "ir-measures, generators": by_generators,
    "PyTerrier": by_experiment,
    "ranx": by_ranx,
    **{name: in_frames(library) for name, library in LIBRARIES.items()},
    "files": by_files,
    "read_run": by_readers,
    "pres-eval score": in_command(),
    "pres-eval score, beside nDCG": in_command("nDCG@7"),
    "studies": by_study,
}


def door(name):
    marks = [pytest.mark.xdist_group(name)] if name in ("ranx", "frames, Spark") else []
    marks += [mark for one, mark in MARKS.items() if name == f"frames, {one}"]
    return pytest.param(name, marks=marks)


def doors(*starts):
    return [door(name) for name in DOORS if name.startswith(starts or ("",))]


def may_lack(name, case, topic, measure):
    """Whether a door need not return this value."""
    if name == "ranx":
        return "judged_only" in measure and measure.startswith(("AP(", "R("))
    without_means = name.startswith(("pres_plugin", "frames", "files"))
    return (topic == "all" and without_means) or (
        name == "pres_plugin.pres, …" and topic not in case.run
    )


def check(name, cases, folder):
    """Every value of a door is the one by definition, and none is missing."""
    for case in cases:
        found = DOORS[name](case, folder)
        expected = case.expected
        lacks = [key for key in expected.keys() - found.keys() if not may_lack(name, case, *key)]
        wrong = {
            key: (value, expected[key])
            for key, value in found.items()
            if value != pytest.approx(expected[key], rel=0, abs=1e-9)
        }
        assert (lacks, wrong) == ([], {})


@pytest.mark.parametrize(
    "cases",
    [
        of_vectors,
        pytest.param(of_topics, marks=pytest.mark.ci),
        pytest.param(of_more_topics, marks=pytest.mark.release),
    ],
)
@pytest.mark.parametrize("door", doors())
def test_every_door_scores_as_the_definitions_say(door, cases, tmp_path):
    check(door, cases(), tmp_path)


# --- Tables with ranks that have gaps, and with topics that are not judged. ----------------------


def table_in_files(write):
    def scored(run, qrels, folder, **columns):
        paths = folder / "qrels", folder / "run"
        for path, table in zip(paths, (qrels, run), strict=True):
            write(pl.from_arrow(table), path)
        return files.score(*paths, MEASURES).to_dicts()

    return scored


def table_in_frames(library):
    def scored(run, qrels, _, **columns):
        found = frames.score(library.frame(run), library.frame(qrels), MEASURES, **columns)
        return library.rows(found)

    return scored


TABLES = {
    "CSV": table_in_files(pl.DataFrame.write_csv),
    "Parquet": table_in_files(pl.DataFrame.write_parquet),
    **{name: table_in_frames(library) for name, library in LIBRARIES.items()},
}
of_tables = pytest.mark.parametrize("door", [*map(door, TABLES)])


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.ci)])
@of_tables
def test_a_gap_in_given_ranks_is_a_document_that_was_left_out(door, first, tmp_path):
    """Leaving unjudged documents out of the table does not change the scores."""
    qrels, run = collection()
    table = gapped_table(qrels, run, first)
    rows = TABLES[door](table, qrels_table(qrels), tmp_path, rank="rank")
    check_rows(rows, expected_rows(MEASURES, qrels, run))


@of_tables
def test_ranks_that_run_on_from_topic_to_topic_are_refused(door, tmp_path):
    rows = [(topic, f"d{i}", i) for i, topic in enumerate(["q2"] * 3 + ["q1"] + ["q3"] * 4, 1)]
    run = pl.DataFrame(rows, ["query_id", "doc_id", "rank"], orient="row").to_arrow()
    said = f"{OF_SPARK}({tmp_path}/)?run: the ranks run on from one topic to the next"
    with raises(Exception, said):
        TABLES[door](run, qrels_table({"q1": {"d4": 1}}), tmp_path, rank="rank")


def two_runs(first, second):
    runs = {"one": first, "two": second}
    tables = [
        pl.from_arrow(run_table(run)).with_columns(run=pl.lit(name)) for name, run in runs.items()
    ]
    return pl.concat(tables).to_arrow()


# Spark is lazy, so it neither warns nor knows whether a topic is judged.
@pytest.mark.ci
@of_tables
def test_one_of_several_runs_without_a_judged_topic_scores_0(door, tmp_path):
    qrels, run = collection()
    table = two_runs(run, {"unjudged": {"a": 1.0}})
    says_so = warns(
        pres_plugin.UnmatchedIdsWarning, f"({tmp_path}/run, )?run two: no topic of the run"
    )
    with nullcontext() if "Spark" in door else says_so:
        rows = TABLES[door](table, qrels_table(qrels), tmp_path, by="run")
    values = expected_rows(MEASURES, qrels, run)
    check_rows([row for row in rows if row["run"] == "one"], values)
    empty = expected_rows(MEASURES, qrels, {})
    check_rows([row for row in rows if row["run"] == "two"], empty)


@of_tables
def test_runs_without_any_judged_topic_are_refused(door, tmp_path):
    qrels, _ = collection()
    table = two_runs({"unjudged": {"a": 1.0}}, {"unjudged": {"b": 1.0}})
    if "Spark" in door:
        rows = TABLES[door](table, qrels_table(qrels), tmp_path, by="run")
        # By Effort, the topics that a run lacks have N documents to check.
        assert not any(row["value"] for row in rows if "Effort" not in row["measure"])
        return
    with raises(ValueError, f"({tmp_path}/run, )?run one, .*run two: no topic in common"):
        TABLES[door](table, qrels_table(qrels), tmp_path, by="run")


@pytest.mark.ci
@pytest.mark.parametrize(
    "run",
    [
        "padua.ims_iafapc_m10p10f0t150p2m10.gz",
        pytest.param("iiit.run1.gz", marks=pytest.mark.release),
        pytest.param("amc.run.gz", marks=pytest.mark.release),
    ],
)
@pytest.mark.parametrize("door", doors())
def test_every_door_scores_real_runs_as_the_definitions_say(door, run, clef_tar, tmp_path):
    check(door, of_clef_tar(clef_tar, run), tmp_path)


# --- The definitions themselves. -----------------------------------------------------------------


def test_the_definitions_give_the_values_of_the_vectors():
    for vector in vectors():
        kept = "error" if vector["duplicates"] == "none" else vector["duplicates"]
        rows = [(t, doc, s) for t, docs in vector["run"].items() for doc, s in docs]
        run = Case(rows, {}, [], kept).run
        names = measures_of(vector)
        values = by_definition.values(names.values(), vector["qrels"], run)
        for topic, expected in vector["expected"]["topics"].items():
            of_topic = {name: values[topic, measure] for name, measure in names.items()}
            assert of_topic == pytest.approx({name: expected[name] for name in names}, abs=1e-12)
            _, ranks, n, _ = by_definition.topic("AP", vector["qrels"][topic], run.get(topic, {}))
            assert (sorted(ranks), n) == (sorted(expected["ranks"]), expected["n"])


@pytest.mark.parametrize(("rel", "judged_only"), [(1, False), (2, True)])
@pytest.mark.parametrize("n_max", [7, pytest.param(100, marks=pytest.mark.release)])
def test_pres_follows_from_the_recall_of_trec_eval(n_max, rel, judged_only):
    # PRES@Nmax = [Σ R@k over k = 1 … Nmax + R(nR-1)/2] / Nmax, with R = R@Nmax, needs no rank.
    qrels, run = collection(seed=n_max)
    choice = f"(rel={rel},judged_only={judged_only})"
    cutoffs = range(1, n_max + 1)
    case = Case([], qrels, [f"{name}{choice}@{n_max}" for name in ("PRES", "PRES_est")])
    recalls = [ir_measures.R(rel=rel, judged_only=judged_only) @ k for k in cutoffs]
    values = defaultdict(dict)
    for metric in ir_measures.iter_calc([*case.parsed, *recalls], qrels, run):
        values[metric.query_id][metric.measure] = metric.value
    pres, pres_est = case.parsed
    for topic, of_topic in values.items():
        n = sum(relevance >= rel for relevance in qrels[topic].values())
        r = of_topic[recalls[-1]]
        expected = (sum(of_topic[recall] for recall in recalls) + r * (n * r - 1) / 2) / n_max
        assert of_topic[pres] == pytest.approx(expected, abs=1e-9)
        assert of_topic[pres_est] == pytest.approx(expected * max(1, n / n_max), abs=1e-9)
    assert len(values) == len(qrels)


@pytest.mark.parametrize("door", doors())
def test_pres_is_rnorm_of_nmax_plus_n_documents(door, tmp_path):
    """How the paper derives PRES: the collection ends after the missed documents."""
    (case,) = of_topics()
    relevant = {t: sum(rel > 0 for rel in judged.values()) for t, judged in case.qrels.items()}
    n = max(relevant.values())
    missed = {t: {f"more{i}": 1 for i in range(n - found)} for t, found in relevant.items()}
    qrels = {topic: judged | missed[topic] for topic, judged in case.qrels.items()}
    k = 5
    first = {topic: by_definition.ranking(docs)[:k] for topic, docs in case.run.items()}
    cut = [row for row in case.rows if row[1] in first[row[0]]]

    def scores(rows, measure):
        found = DOORS[door](Case(rows, qrels, [measure, "R@5"]), tmp_path)
        return {topic: value for (topic, name), value in found.items() if name == measure}

    pres, rnorm = scores(case.rows, f"PRES@{k}"), scores(cut, f"Rnorm(N={k + n})")
    assert rnorm == pytest.approx(pres, abs=1e-12)
    assert rnorm


# --- Repeated documents: one of the rows counts. -------------------------------------------------

WITH_OPTION = doors("files", "read_run", "pres-eval")
IN_ORDER = [door for door in doors("frames") if door.values[0][8:] in map(str, ORDERED)]
KEEP = {
    "first": [*WITH_OPTION, *IN_ORDER],
    "last": [*WITH_OPTION, *IN_ORDER, *doors("ir-measures, D", "ir-measures, g", "PyTerrier")],
    "highest": [*WITH_OPTION, *doors("frames")],
}


@pytest.mark.parametrize(
    ("door", "kept"),
    [
        pytest.param(*door.values, kept, marks=door.marks)
        for kept, of_kept in KEEP.items()
        for door in of_kept
    ],
)
def test_one_row_of_a_repeated_document_counts(door, kept, tmp_path):
    check(door, of_vectors(kept), tmp_path)


# --- A run without results: scored 0 where that can be, else rejected. ---------------------------

REJECTED = doors("pres-eval", "files", "read_run", "PyTerrier", "ranx")


@pytest.mark.parametrize("door", [d for d in doors() if d not in REJECTED])
def test_a_run_without_results_scores_0_and_its_effort_is_n(door, tmp_path):
    measures = ["PRES@5", "Rnorm(N=9)", "AP", "Effort(N=9)"]
    check(door, [Case([], {"q1": {"a": 1, "b": 2}, "q2": {"a": 0}}, measures)], tmp_path)


@pytest.mark.parametrize("door", doors("ir-measures", "frames", "files"))
def test_a_topic_in_which_nothing_is_judged_scores_0(door, tmp_path):
    measures = ["PRES@5", "Rnorm(judged_only=True)", "TNR(judged_only=True)"]
    qrels = {"q1": {"a": -1}, "q2": {"a": 1, "b": 0}}
    check(door, [Case([("q1", "a", 1.0), ("q2", "b", 1.0)], qrels, measures)], tmp_path)


@pytest.mark.parametrize("door", REJECTED)
def test_interfaces_that_need_a_result_reject_a_run_without_one(door, tmp_path):
    file = f"(pres-eval: )?{tmp_path}/run: the file is empty"
    with raises(Exception, rf"max\(\) .* empty|1 topics, but no results|{file}"):
        DOORS[door](Case([], {"q1": {"a": 1}}, ["PRES@5"]), tmp_path)


# --- Scores that the organisers of CLEF TAR 2017 published. --------------------------------------

#: Measures with the parameters that reproduce what the organisers call them.
PUBLISHED = {
    "last_rel": "LastRel",
    "wss_100": "WSS(N={},rounding='nearest')@1",
    "wss_95": "WSS(N={},rounding='nearest')@0.95",
    "ap": "AP",
}
#: What printing with three decimals leaves uncertain.
PRINTED = {"rel": 0, "abs": 0.00051}


def published(folder):
    """Each row of the organisers' tables, with the judgements and the documents in line order."""
    rows = defaultdict(dict)
    for name in ("official.tsv", "official-effort.tsv"):
        for row in pl.read_csv(folder / name, separator="\t").iter_rows(named=True):
            rows[row["run"], row["level"], row["topic"]] |= row
    qrels = {n: read_qrels(str(folder / f"qrels.{n}.txt.gz")) for n in ("abstract", "content")}
    runs = {
        run: clef_rows(folder / "runs" / f"{run}.gz", 4, float) for run in {row[0] for row in rows}
    }
    for (run, level, topic), row in rows.items():
        docs = list(dict.fromkeys(doc for doc, _ in runs[run][topic]))
        yield row, qrels[level][topic], docs


def rnorm_of_area(row, n_docs):
    """Rnorm as the normalised area under the recall curve gives it, and its uncertainty."""
    n = row["num_rels"]
    scale = n * n_docs - n * n / 2
    rank_sum = n * n_docs + n / 2 - row["norm_area"] * scale
    pairs = n * (n_docs - n)
    return 1 - (rank_sum - n * (n + 1) / 2) / pairs, 0.00051 * scale / pairs


@pytest.mark.release
def test_published_scores_are_reproduced(clef_tar):
    in_ir_measures = areas = rows = rounded_up = 0
    for row, judged, docs in published(clef_tar):
        relevant = {doc for doc, relevance in judged.items() if relevance > 0}
        ranks, n = pres_plugin.relevant_ranks(docs, relevant), len(relevant)
        n_docs = max(row["num_docs"], row["num_shown"])
        found = {
            "last_rel": pres_plugin.last_rel(ranks, n),
            "wss_100": pres_plugin.wss(ranks, n, n_docs, 1, "nearest"),
            "wss_95": pres_plugin.wss(ranks, n, n_docs, rounding="nearest"),
            "ap": pres_plugin.average_precision(ranks, n),
        }
        expected = {name: row[name] for name in PUBLISHED}
        assert found == pytest.approx(expected, **PRINTED), row
        for recall, name in ((1, "wss_100"), (0.95, "wss_95")):
            g = by_definition.goal(n, recall, "nearest")
            effort = n_docs * (recall - row[name]) if len(ranks) >= g else n_docs
            found = pres_plugin.effort(ranks, n, n_docs, recall, "nearest")
            assert found == pytest.approx(effort, abs=0.00051 * n_docs), row
        rounded_up += pres_plugin.wss(ranks, n, n_docs) != pytest.approx(row["wss_95"], **PRINTED)
        if len(ranks) == n < n_docs:  # all found: then the area tells Rnorm
            value, uncertain = rnorm_of_area(row, n_docs)
            assert pres_plugin.rnorm(ranks, n, n_docs) == pytest.approx(value, abs=uncertain)
            areas += 1
        if len({*docs, *relevant}) <= n_docs:  # the organisers' N may be too small
            measures = {
                name: ir_measures.parse_measure(m.format(n_docs)) for name, m in PUBLISHED.items()
            }
            run = {"q": by_definition.as_scores(docs)}
            values = ir_measures.calc_aggregate(measures.values(), {"q": judged}, run)
            assert {name: values[m] for name, m in measures.items()} == pytest.approx(
                expected, **PRINTED
            ), row
            in_ir_measures += 1
        rows += 1
    # docs/trust.md shows the first and the last.
    assert (rows, in_ir_measures, rounded_up, areas) == (666, 645, 166, 393)
