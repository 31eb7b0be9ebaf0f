"""docs/faq.md: each question has an answer and a thread, and the page counts them right."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "faq.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^### (.*?)\n\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
THREAD = r"\[([\w-]+/[\w-]+)#(\d+)\]\(https://github\.com/([\w-]+/[\w-]+)/issues/(\d+)\)"
TRACKERS = {
    "terrierteam/ir_measures",
    "terrier-org/pyterrier",
    "AmenRa/ranx",
    "usnistgov/trec_eval",
}


def threads(answer):
    """The repository and the number of each thread of an answer."""
    assert answer.count("Asked in ") == 1
    found = re.findall(THREAD, answer[answer.index("Asked in ") :])
    assert all((shown, number) == (linked, at) for shown, number, linked, at in found)
    return [(repository, number) for repository, number, _, _ in found]


def test_each_question_has_one_thread_of_its_own():
    assert all(question.endswith("?") or ". " in question for question, _ in ENTRIES)
    first = [threads(answer)[0] for _, answer in ENTRIES]
    assert len(set(first)) == len(ENTRIES)
    from_trackers = [thread for thread in first if thread[0] in TRACKERS]
    assert len(from_trackers) == 20
    assert "Twenty questions come from the trackers" in PAGE
    (other,) = set(first) - set(from_trackers)
    assert other[0] == "cvangysel/pytrec_eval"
    assert {repository for repository, _ in from_trackers} == TRACKERS


def test_answers_are_short():
    for question, answer in ENTRIES:
        prose = re.sub(r"```.*?```", "", answer[: answer.index("Asked in ")], flags=re.DOTALL)
        sentences = re.findall(r"[.?:](?:\s|$)", prose)
        assert 1 <= len(sentences) <= 6, (question, len(sentences))
