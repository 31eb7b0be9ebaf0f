"""``pres-eval check`` as its users run it."""

import importlib
import json
import random
from pathlib import Path

import pytest
import variants_by_hand as by_hand
from command import EXAMPLES, pres_eval, refused

from pres_plugin.study.variants import VARIANTS

N_MAX, N_DOCS = 6, 40
SYSTEMS = [f"system-{i}.run" for i in range(1, 5)]


def differing_run():
    """Lines of a run in which scores are equal, or equal in 32 bits only, and repeat documents."""
    generator = random.Random(3)
    lines, relevant = {}, {}
    for topic, n in {"q1": 2, "q2": 8, "q3": 4, "q4": 3}.items():
        docs = generator.sample([f"d{i:02}" for i in range(30)], 12)
        scores = [generator.choice([3.0, 2.0, 2.0 + 1e-12, 1.0, 1.0 + 1e-12]) for _ in docs]
        lines[topic] = list(zip(docs, scores, strict=True))
        relevant[topic] = [*generator.sample(docs, n - 1), "missed"]
        lines[topic].insert(5, (relevant[topic][0], 2.0))
    lines["q6"] = [("d00", 1.0)]
    return lines, {**relevant, "q5": ["missed"], "q6": [], "q7": ["missed"]}


LINES, RELEVANT = differing_run()


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Judgements, a run that repeats documents and ends with its first topic, and no values."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(
        "q6 0 d00 0\n" + "".join(f"{t} 0 {doc} 1\n" for t, docs in RELEVANT.items() for doc in docs)
    )
    rows = [f"{t} Q0 {doc} 0 {s!r} x\n" for t, lines in LINES.items() for doc, s in lines]
    Path("run").write_text("".join(rows))
    return tmp_path


def written(*names, decimals=4, mean=True):
    found, of_all = by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS, *names)
    values = {**found, "all": of_all} if mean else found
    return "".join(f"{topic},{float(value):.{decimals}f}\n" for topic, value in values.items())


def check(content, *options):
    Path("values").write_text(content)
    options = ("--n-max", N_MAX, "--duplicates", "first", *options)
    return pres_eval("check", "values", "qrels", "run", *options)


@pytest.mark.parametrize("decimals", [2, 3, 4, 15])
def test_pres_ends_with_0(here, decimals):
    code, out, _ = check(written(decimals=decimals))
    assert (code, out) == (
        0,
        f"The values are PRES@6 of run: 7 topics and the mean agree to {min(decimals, 12)} "
        "decimals.\n",
    )


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_each_variant_is_named_and_ends_with_1(here, variant):
    content = written(variant.name, decimals=6)
    code, out, _ = check(content, "--n-docs", N_DOCS)
    assert code == 1
    assert out.startswith("The values are not PRES@6 of run: ")
    found = f"match this known variant:\n- {variant.name}, to "
    assert found in out
    assert out.endswith(f"  {variant.does} {variant.wrong}\n")
    code, out, _ = check(content, "--n-docs", N_DOCS, "-f", "json")
    verdict = json.loads(out)
    assert (code, verdict["is_pres"], verdict["decimals"]) == (1, False, None)
    [match] = verdict["matches"]
    described = {"name": variant.name, "does": variant.does, "wrong": variant.wrong}
    assert match["variants"] == [described]


def test_differing_topics_are_shown_with_both_values(here):
    expected = float(by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS)[0]["q3"])
    values = written().replace(f"q3,{expected:.4f}", "q3,0.9999")
    assert check(values).stdout.splitlines()[:6] == [
        "The values are not PRES@6 of run: 6 of 7 topics agree, and the mean does.",
        "",
        "topic       value    PRES@6",
        "-------  --------  --------",
        f"q3       0.999900  {expected:.6f}",
        "",
    ]


def test_combined_variants_are_named_together(here):
    code, out, _ = check(written("missed-after-n-max", "ties-by-file-order"))
    assert code == 1
    assert "\n- missed-after-n-max + ties-by-file-order, to 4 decimals\n" in out


def test_values_that_nothing_explains(here):
    code, out, _ = check("q1,0.123\nq2,0.321\nq3,0.213\nq4,0.132\n")
    assert code == 1
    assert "They match no known variant.\nThe closest is " in out
    assert out.endswith("Rnorm was not compared, because it needs --n-docs.\n")
    _, out, _ = check("q1,0.123\nq2,0.321\nq3,0.213\nq4,0.132\n", "--n-docs", N_DOCS)
    assert "Rnorm was not compared" not in out


@pytest.mark.parametrize("as_file", [True, False])
@pytest.mark.parametrize("names", [[], ["topics-without-results-left-out"]])
def test_a_single_mean(here, names, as_file):
    mean = f"{float(by_hand.values(LINES, RELEVANT, N_MAX, N_DOCS, *names)[1]):.5f}"
    if as_file:
        Path("values").write_text(mean)
    values = "values" if as_file else mean
    options = ("--n-max", N_MAX, "--duplicates", "first")
    code, out, _ = pres_eval("check", values, "qrels", "run", *options)
    if names:
        assert code == 1
        assert out.startswith("The mean is not PRES@6 of run.\n")
        assert f"It matches this known variant:\n- {names[0]}, to 5 decimals\n" in out
        assert out.endswith("Check the values of the topics to be sure.\n")
    else:
        assert (code, out) == (0, "The mean is PRES@6 of run, to 5 decimals.\n")


def test_topics_on_one_side_only(here):
    content = written(mean=False).replace("q1", "q9").replace("q2", "q8")
    assert check(content).stdout.splitlines() == [
        "The values are PRES@6 of run: 5 topics agree to 4 decimals.",
        "Topics with a value but without judgements are ignored, 2 in total: q9, q8.",
        "2 of 7 judged topics have no value: q1, q2.",
    ]
    assert check(
        written(mean=False).replace("q5,0.0000\n", "").replace("q7,0.0000\n", "")
    ).stdout.splitlines()[1:] == [
        "2 of 7 judged topics have no value: q5, q7.",
        "These are the topics without results. They score 0; a mean that leaves them out is too "
        "high.",
    ]


def test_repeated_documents_are_an_error_unless_one_is_chosen(here):
    Path("values").write_text(written())
    line = refused("check", "values", "qrels", "run", "--n-max", N_MAX)
    assert line.endswith("keep one of them with --duplicates first or last")


@pytest.mark.parametrize("fmt", ["table", "tsv", "csv", "json"])
@pytest.mark.parametrize("places", ["4", "-1"])
@pytest.mark.parametrize("by_query", [["-q"], []], ids=["topics", "mean"])
def test_the_output_of_score_is_pres(fmt, places, by_query, tmp_path):
    files = [EXAMPLES / "patents" / name for name in ("qrels.txt", "bm25.run.gz", "dense.run.gz")]
    options = ["-m", "AP PRES@100 PRES@50", "-p", places, "-f", fmt, *by_query]
    (tmp_path / "values").write_text(pres_eval("score", *files, *options).stdout)
    for run in files[1:]:
        result = pres_eval("check", tmp_path / "values", files[0], run, "--n-max", 100)
        assert result.returncode == 0
        topics = "20 topics and the mean agree to" if by_query else "The mean is PRES@100 of"
        assert topics in result.stdout


@pytest.mark.parametrize(
    ("system", "printed"), list(zip(SYSTEMS, ["0.25", "0.51", "1.00", "0.28"], strict=True))
)
def test_the_values_in_the_paper_are_pres(system, printed):
    arguments = ("check", printed, "qrels.txt", system, "--n-max", "100")
    code, out, err = pres_eval(*arguments, cwd=EXAMPLES)
    assert (code, out, err) == (0, f"The mean is PRES@100 of {system}, to 2 decimals.\n", "")


def test_standard_input(here):
    arguments = ("--n-max", N_MAX, "--duplicates", "first")
    result = pres_eval("check", "-", "qrels", "run", *arguments, stdin=written())
    assert result.returncode == 0
    result = pres_eval("check", "values", "-", "run", *arguments, stdin=Path("qrels").read_text())
    assert result == (2, "", "pres-eval: values: there is no such file\n")


def test_what_cannot_be_checked_is_refused_in_one_line(here):
    Path("values").write_text("q77,0.5\n")
    Path("run").write_text("q1 Q0 d 1 1 x\n")
    Path("runs").mkdir()
    for name in ("a", "b"):
        Path("runs", name).write_text("q1 Q0 d 1 1 x\n")
    options = ("--n-max", "9")
    for arguments, said in [
        (("values", "qrels", "run", *options), "values: no topic in common with the qrels ("),
        (("values", "qrels", "run"), "Missing option '--n-max'."),
        (("values", "qrels", *options), "Missing argument 'RUN'."),
        (("0.5", "qrels", "runs", *options), "runs: VALUES are compared with one run, but there"),
        (("-", "qrels", "-", *options), "standard input can be read only once, as VALUES, as"),
        (("none", "qrels", "run", *options), "none: there is no such file"),
        (("0.5", "qrels", "run", *options, "--n-docs", 1), "Rnorm(N=1): topic 'q1' has "),
        (("runs", "qrels", "run", *options), "runs: cannot be read (Is a directory)"),
    ]:
        assert refused("check", *arguments).startswith(said)


def test_relevance_levels(here):
    Path("qrels").write_text("q1 0 a 1\nq1 0 b 2\n")
    Path("run").write_text("q1 Q0 b 1 1 x\n")
    arguments = ("check", "1.0", "qrels", "run", "--n-max", "1")
    assert pres_eval(*arguments).returncode == 1
    code, out, _ = pres_eval(*arguments, "--rel", "2")
    assert (code, out) == (0, "The mean is PRES(rel=2)@1 of run, to 1 decimal.\n")
    Path("values").write_text("PRES@1 0.5\nPRES(rel=2)@1 1.0\n")
    for rel in (1, 2):
        assert pres_eval("check", "values", *arguments[2:], "--rel", rel).returncode == 0


def test_a_run_that_is_too_large_to_count_repeats_gets_a_warning(here, monkeypatch):
    module = importlib.import_module("pres_plugin.cli.commands.check")
    content = written("repeats-counted", decimals=6)
    assert "- repeats-counted," in check(content).stdout
    monkeypatch.setattr(module, "MOST_ROWS", 20)
    code, out, err = check(content)
    assert (code, "- repeats-counted," in out) == (1, False)
    assert "run: the variant that counts repeated documents was not checked\n" in err


def test_values_that_match_several_variants(here):
    """Without ties and missed documents, several variants compute the same."""
    Path("qrels").write_text("q1 0 a 1\n")
    Path("run").write_text("q1 Q0 x 1 3 x\nq1 Q0 a 2 2 x\n")
    code, out, _ = check("q1,0.80\n")  # PRES is 1 - 1/6, and 1 - 1/5 with n(Nmax - n)
    assert code == 1
    assert out.startswith("The values are not PRES@6 of run: 0 of 1 topics agree.\n")
    assert (
        "They match each of these known variants:\n- divided-by-n-max-less-n, to 2 decimals\n"
        in out
    )
    assert "\n- rnorm-of-n-max, to 2 decimals\n" in out
    assert check("q1,0.83\n").stdout == (
        "The values are PRES@6 of run: 1 topic agrees to 2 decimals.\n"
    )
    assert "1e+300" in check("q1,1e300\n").stdout
