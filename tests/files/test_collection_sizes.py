"""Each topic may have a collection of its own, whose size a file or a dict contains."""

import json
import re
from pathlib import Path

import pytest
from beginnings import raises
from command import pres_eval, refused

from pres_plugin import InputError, effort, rnorm, tnr, wss
from pres_plugin.files import score

# By topic: N, the ranks of the relevant documents found, and their number n.
TOPICS = {"q1": (9, [1, 4], 3), "q2": (40, [2], 1), "q3": (12, [], 2)}
SIZES = {topic: n_docs for topic, (n_docs, _, _) in TOPICS.items()}
MEASURES = {
    "Rnorm": lambda n_docs, ranks, n: rnorm(ranks, n, n_docs),
    "Rnorm@2": lambda n_docs, ranks, n: rnorm(ranks, n, n_docs, n_max=2),
    "WSS@0.5": lambda n_docs, ranks, n: wss(ranks, n, n_docs, recall=0.5),
    "Effort@0.5": lambda n_docs, ranks, n: effort(ranks, n, n_docs, recall=0.5),
    "TNR@0.5": lambda n_docs, ranks, n: tnr(ranks, n, n_docs, recall=0.5),
    "Rnorm(N=50)": lambda n_docs, ranks, n: rnorm(ranks, n, 50),
}
EXPECTED = {
    (topic, name): measure(*of_topic)
    for topic, of_topic in TOPICS.items()
    for name, measure in MEASURES.items()
}
MEANS = {name: sum(EXPECTED[t, name] for t in TOPICS) / len(TOPICS) for name in MEASURES}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels, run = [], []
    for topic, (_, ranks, n) in TOPICS.items():
        qrels += [f"{topic} 0 r{i} 1\n" for i in [*ranks, 100, 101, 102][:n]]
        run += [f"{topic} Q0 r{i} {i} {-i} t\n" for i in range(1, 6)]
    Path("qrels").write_text("".join(qrels))
    Path("run").write_text("".join(run))
    Path("sizes.json").write_text(json.dumps(SIZES))


def test_measures_without_n_take_that_of_the_topic():
    rows = score("qrels", "run", list(MEASURES), collection_sizes=SIZES).rows()
    assert {row[1:3]: row[3] for row in rows} == EXPECTED


@pytest.mark.parametrize("path", ["sizes.json", "sizes.csv"])
def test_the_sizes_are_read_from_tables(path):
    Path("sizes.csv").write_text("topic,n_docs\n" + "".join(f"{t},{n}\n" for t, n in SIZES.items()))
    options = ("-m", "WSS@0.5", "--collection-sizes", path)
    result = pres_eval("score", "qrels", "run", *options, "-f", "csv", "-p", -1)
    assert result == (0, f"run,measure,value\nrun,WSS@0.5,{MEANS['WSS@0.5']}\n", "")


@pytest.mark.parametrize("beside", ["", " nDCG@5"])
@pytest.mark.parametrize(
    ("subcommand", "swept"),
    [("score", []), ("compare", []), ("robustness", []), ("sweep", ["--n-max", 5])],
)
def test_studies_use_the_sizes(subcommand, swept, beside):
    measures = "Rnorm" + beside.removesuffix("@5" if subcommand == "sweep" else "")
    options = ("-m", measures, "--collection-sizes", "sizes.json", *swept)
    code, out, err = pres_eval(subcommand, "qrels", "run", *options)
    assert (code, err) == (0, "")
    if subcommand != "robustness":  # its tables contain no scores
        assert f"{MEANS['Rnorm']:.4f}" in out


WRONG = {
    "a judged topic is missing": (
        {"q1": 9, "q2": 40},
        "Rnorm",
        "the N of topic 'q3', which is judged, must be .* got None",
    ),
    "too small": (
        SIZES | {"q2": 0},
        "Rnorm",
        r"the N of topic 'q2', .* positive whole number, got '?0",
    ),
    "not whole": (SIZES | {"q2": "9.5"}, "Rnorm", "(the N of )?topic 'q2'.* whole number"),
    "not used": (SIZES, "AP Rnorm(N=50)", r"no measure uses the sizes .* write .* Rnorm or WSS"),
}


@pytest.mark.parametrize(("sizes", "measures", "said"), WRONG.values(), ids=WRONG)
def test_wrong_sizes_are_refused(sizes, measures, said):
    with raises(InputError, f"collection_sizes: {said}"):
        score("qrels", "run", measures.split(), collection_sizes=sizes)
    Path("sizes.json").write_text(json.dumps(sizes))
    for subcommand in ("score", "compare"):
        options = ("-m", measures, "--collection-sizes", "sizes.json")
        line = refused(subcommand, "qrels", "run", *options)
        assert re.match(f"sizes.json: {said}", line), line


SMALL = {
    "relevant": ({"q1": 2}, "qrels: Rnorm: topic 'q1' has 3"),
    "retrieved": ({"q2": 4}, "run: Rnorm: topic 'q2' has 5"),
}


@pytest.mark.parametrize(("small", "said"), SMALL.values(), ids=SMALL)
def test_a_topic_with_more_documents_than_its_n_is_refused(small, said):
    with raises(InputError, f"{said} documents .* more than N"):
        score("qrels", "run", ["Rnorm", "PRES@5"], collection_sizes=SIZES | small)
