"""Generate two searches for eight inventions, as a workbook and as CSV.

    python docs/examples/spreadsheet.py

All data are made up. The workbook ``searches.xlsx`` has a sheet ``results`` with the first
50 results of each search, and a sheet ``judged`` with the documents that were read. The
folder ``spreadsheet`` contains the same sheets as CSV. The picture ``comparison.png`` is one of
those in the report of ``pres-eval compare``. A search by keywords finds few of the
relevant documents, but early. A search by similarity finds more of them, but later.
"""

import csv
import random
from datetime import datetime
from pathlib import Path

import xlsxwriter

from pres_plugin.study.compare import compare
from pres_plugin.study.compare.picture import differences
from pres_plugin.study.output import style

FOLDER = Path(__file__).parent / "spreadsheet"

N_TOPICS, DEPTH = 8, 50

#: The fraction of the relevant documents that each search finds, and their mean rank.
SEARCHES = {"keywords": (0.5, 3), "similarity": (0.9, 28)}


def tables():
    """Return the rows of both CSV files by name, with their headers."""
    results = [["run", "query_id", "rank", "doc_id"]]
    judged = [["query_id", "doc_id", "relevance"]]
    for number in range(1, N_TOPICS + 1):
        topic = f"INV-{number}"
        rng = random.Random(topic)
        doc_ids = [f"EP{i}" for i in rng.sample(range(1_000_000, 2_000_000), 120)]
        n = rng.randint(4, 10)
        relevant, others = doc_ids[:n], doc_ids[n:]
        read = set()
        for search, (fraction, mean_rank) in SEARCHES.items():
            found = [doc_id for doc_id in relevant if rng.random() < fraction]
            ranks = set()
            while len(ranks) < len(found):
                ranks.add(min(1 + int(rng.expovariate(1 / mean_rank)), DEPTH))
            at = dict(zip(sorted(ranks), found, strict=True))
            rest = iter(rng.sample(others, DEPTH))
            ranking = [at[rank] if rank in at else next(rest) for rank in range(1, DEPTH + 1)]
            results += [[search, topic, rank, doc] for rank, doc in enumerate(ranking, start=1)]
            read.update(ranking[:10])
        judged += [[topic, doc, int(doc in relevant)] for doc in sorted({*relevant, *read})]
    return {"results.csv": results, "judged.csv": judged}


def comparison():
    """Compare the two searches, as the page does with `pres-eval compare`."""
    runs = {search: {} for search in SEARCHES}
    qrels = {}
    (_, *results), (_, *judged) = tables().values()
    for search, topic, rank, doc in results:
        runs[search].setdefault(topic, {})[doc] = -float(rank)
    for topic, doc, relevance in judged:
        qrels.setdefault(topic, {})[doc] = relevance
    return compare(qrels, runs, [f"PRES@{DEPTH}", f"R@{DEPTH}"], confidence=0.95)


def main():
    """Write the workbook, the CSV files and the picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, rows in tables().items():
        with open(FOLDER / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    with xlsxwriter.Workbook(FOLDER.with_name("searches.xlsx")) as workbook:
        # A workbook contains a time. A fixed one makes the file the same each time.
        workbook.set_properties({"created": datetime(2026, 1, 1)})
        for name, rows in tables().items():
            sheet = workbook.add_worksheet(name.removesuffix(".csv"))
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    found = comparison()
    style.save(differences(found, found.two), FOLDER.with_name("comparison.png"))


if __name__ == "__main__":
    main()
