"""A run has the same scores in TREC's format and in every shape of JSON, by every way to score."""

import gzip
import json

import ir_measures
import pytest
from command import pres_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pres_plugin.files import score
from pres_plugin.formats import read_qrels, read_run

MEASURES = ["PRES@3", "R@2", "AP"]
# Characters with a meaning in JSON, and those that it escapes. TREC's format allows no blanks.
IDS = st.text('aé"\\{}[],:', min_size=1, max_size=4)


@st.composite
def collections(draw):
    """Judgements, and a run whose scores are distinct, so that a ranked list can express it."""
    # TREC files whose first line begins like JSON are taken for JSON.
    topics = draw(st.lists(IDS.map("q".__add__), min_size=1, max_size=4, unique=True))
    docs = draw(st.lists(IDS, min_size=1, max_size=6, unique=True))
    grades = st.dictionaries(st.sampled_from(docs), st.integers(0, 2), min_size=1)
    ranked = st.lists(st.sampled_from(docs), min_size=1, unique=True)
    qrels = {topic: draw(grades) for topic in topics}
    return qrels, {topic: draw(ranked) for topic in topics}


def trec_run(run):
    return "".join(
        f"{topic} Q0 {doc} 0 {score} t\n" for topic, docs in run.items() for doc, score in docs
    )


def lines(records):
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


def written(run, folder):
    """Write ranked lists in every format; yield the path of each file."""
    scored = {t: [(d, len(docs) - i) for i, d in enumerate(docs)] for t, docs in run.items()}
    # The order of a dict and of the lines must not matter; that of a list must.
    dicts = {topic: dict(reversed(docs)) for topic, docs in scored.items()}
    results = {
        t: [{"corpus_id": d, "score": s} for d, s in reversed(docs)] for t, docs in scored.items()
    }
    contents = {
        "trec": trec_run(scored),
        "scores": json.dumps(dicts, indent=1),
        "lists": json.dumps(run),
        "results": lines({"query_id": t, "query": t, "results": r} for t, r in results.items()),
        "rankings": lines({"qid": t, "ranking": docs} for t, docs in run.items()),
        "records": lines({"q_id": t, "scores": docs} for t, docs in dicts.items()),
        "list": json.dumps([{"query-id": t, "scores": docs} for t, docs in dicts.items()]),
        "mteb": json.dumps({"mteb_model_meta": {}, "default": {"test": dicts}}),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(gzip.compress(content.encode()))
        yield folder / name


@given(collection=collections())
@settings(max_examples=settings.default.max_examples // 10, deadline=None)
def test_every_format_has_the_same_scores(tmp_path_factory, collection):
    qrels, run = collection
    folder = tmp_path_factory.mktemp("files")
    judged = folder / "qrels"
    judged.write_text(json.dumps(qrels))
    as_trec = (f"{t} 0 {d} {rel}\n" for t, docs in qrels.items() for d, rel in docs.items())
    (folder / "qrels.trec").write_text("".join(as_trec))
    assert read_qrels(folder / "qrels.trec") == read_qrels(judged) == qrels

    paths = list(written(run, folder))
    expected = score(folder / "qrels.trec", paths[0], MEASURES).drop("run").rows()
    by_file = {name: frame for (name,), frame in score(judged, paths, MEASURES).group_by("run")}
    assert len(by_file) == len(paths)
    for path in paths:
        assert by_file[path.name].drop("run").rows() == expected
        per_topic = {
            (each.query_id, str(each.measure)): each.value
            for each in ir_measures.iter_calc(
                [ir_measures.parse_measure(m) for m in MEASURES], qrels, read_run(path)
            )
        }
        assert per_topic == pytest.approx({(t, m): value for t, m, value in expected})
    # Beside nDCG, pres-eval reads dicts and asks ir-measures.
    printed = pres_eval(
        "score", judged, *paths, "-m", " ".join([*MEASURES, "nDCG@10"]), "-f", "json", "-q"
    )
    rows = {}
    for row in json.loads(printed.stdout):
        rows.setdefault(row["run"], []).append({**row, "run": None})
    assert len(rows) == len(paths)
    assert all(found == rows["trec"] for found in rows.values())


#: Ids that sort the other way than they are ranked.
LONG_LIST = [f"d{i:05}" for i in range(10_000)]


@pytest.mark.parametrize(
    "content",
    [
        {"q1": LONG_LIST},
        {"query_id": "q1", "ranking": LONG_LIST},
        {"en": {"test": {"q1": LONG_LIST}}},
    ],
    ids=["json", "jsonl", "mteb"],
)
def test_ranked_lists_of_10_000_documents_keep_their_order(tmp_path, content):
    (tmp_path / "run").write_text(json.dumps(content))
    last = {"q1": {LONG_LIST[-1]: 1, LONG_LIST[-2]: 1, "missing": 1}}
    (tmp_path / "qrels").write_text(json.dumps(last))
    expected = (1 / 9_999 + 2 / 10_000) / 3
    run = read_run(tmp_path / "run")
    assert sorted(run["q1"], key=run["q1"].get, reverse=True) == LONG_LIST
    files = (tmp_path / "qrels", tmp_path / "run")
    assert score(*files, "AP")["value"].to_list() == pytest.approx([expected])
    assert ir_measures.calc_aggregate([ir_measures.AP], last, run) == pytest.approx(
        {ir_measures.AP: expected}
    )
    # By pytrec_eval, in 32 bits.
    assert ir_measures.pytrec_eval.calc_aggregate([ir_measures.AP], last, run) == pytest.approx(
        {ir_measures.AP: expected}
    )
    printed = pres_eval("score", *files, "-m", "AP nDCG@10 R@9999", "-f", "csv", "-p", "6")
    assert f"AP,{expected:.6f}" in printed.stdout
    assert "R@9999,0.333333" in printed.stdout
