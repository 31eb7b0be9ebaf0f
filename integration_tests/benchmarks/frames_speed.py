"""Dataframes in one process: what scoring costs by library.

Run it as ``python integration_tests/benchmarks/frames_speed.py``. It compares libraries with each
other, with ir-measures and with its dicts. frames_growth.py and spark_speed.py score more rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from sidebyside import compare, print_table

from pres_plugin.frames import score


def ids(topic: Any, index: Any) -> pl.DataFrame:
    """Return the ids of topics and of documents, which look like patents."""
    numbers = pl.DataFrame({"topic": topic, "doc": (1009 * topic + 7919 * index) % 10_000_000})
    return numbers.select(
        query_id=pl.format("PAC-{}", pl.col("topic").cast(pl.String).str.zfill(4)),
        doc_id=pl.format("EP{}", pl.col("doc").cast(pl.String).str.zfill(7)),
    )


def collection(
    n_topics: int = 1000, n_docs: int = 1000, *, first: int = 0, seed: int = 0, n_judged: int = 100
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a run, sorted by topic with scores in random order, and its judgements.

    The topics are numbered from `first` on. Every second judged document is relevant.
    """
    topic, place = np.divmod(np.arange(n_topics * n_docs), n_docs)
    scores = 20 * np.random.default_rng(first + seed).random(len(topic), dtype=np.float32)
    run = ids(first + topic, place + 10 * seed).with_columns(score=pl.Series(scores))
    topic, place = np.divmod(np.arange(n_topics * n_judged), n_judged)
    relevance = pl.Series((place + 1) % 2)
    return run, ids(first + topic, 20 * place).with_columns(relevance=relevance)


def main() -> None:
    """Compare libraries with each other, and with ir-measures."""
    import duckdb
    import ir_measures

    frames = collection()
    pandas = [frame.to_pandas() for frame in frames]
    # pandas 2 stores strings as Python objects; pandas 3 does, too, if told so.
    objects = [frame.astype({"query_id": object, "doc_id": object}) for frame in pandas]
    tables = [frame.to_arrow() for frame in frames]
    relations = [duckdb.from_arrow(table) for table in tables]
    large = collection(5, 600_000)
    names = ("score", "relevance")
    dicts = [
        {topic: dict(zip(rows["doc_id"], rows[name], strict=True))
         for (topic,), rows in frame.group_by("query_id")}
        for frame, name in zip(large, names, strict=True)
    ]  # fmt: skip

    def pres(frames: Any) -> Callable[[], object]:
        return lambda: score(*frames, "PRES@1000")

    def in_ir_measures(measure: Any, run: Any, qrels: Any) -> Callable[[], object]:
        return lambda: measure.calc_aggregate(qrels, run)

    ir_ap = in_ir_measures(ir_measures.AP, *pandas)
    print_table(
        [
            ("score by PRES@1000, polars / AP by ir-measures, pandas",
             compare(pres(frames), ir_ap, 5), 0.12),
            ("score by PRES@1000, pandas / AP by ir-measures, pandas",
             compare(pres(pandas), ir_ap, 5), 0.12),
            ("pandas, ids as Python objects / AP by ir-measures, pandas",
             compare(pres(objects), in_ir_measures(ir_measures.AP, *objects), 5), 0.25),
            ("score by PRES@1000, PyArrow / polars",
             compare(pres(tables), pres(frames), 15), 1.5),
            ("score by PRES@1000, pandas / polars",
             compare(pres(pandas), pres(frames), 15), 1.5),
            ("score by PRES@1000, DuckDB / polars",
             compare(pres(relations), pres(frames), 15), 1.5),
            ("5 topics × 600,000 documents, polars / PRES on dicts",
             compare(pres(large), in_ir_measures(ir_measures.PRES @ 1000, *dicts), 5), 1.2),
        ]
    )  # fmt: skip


if __name__ == "__main__":
    main()
