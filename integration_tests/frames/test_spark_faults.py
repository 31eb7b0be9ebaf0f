"""A worker of a cluster dies in the middle of a job: the job ends with the same scores."""

import json
import os
import subprocess
import sys
import textwrap

import ir_measures
import pytest
from spark_processes import (
    LOOPBACK,
    QUICK_START,
    Process,
    cluster,
    driver_settings,
    free_port,
    read_json,
    require,
)

N_TOPICS, N_DOCS, N_RANKINGS = 8_000, 1_000, 20
N_TASKS = 24

# Topics repeat N_RANKINGS rankings of N_DOCS documents, in which every 50th is relevant.
DRIVER = """
    import json
    import time

    from pyspark.sql import SparkSession

    from pres_plugin.frames import score

    spark = SparkSession.builder.config(map=json.loads({settings!r})).getOrCreate()
    rows = spark.range(0, {n_topics} * {n_docs}, 1, {n_tasks}).selectExpr(
        "id div {n_docs} AS topic", "id % {n_docs} AS doc"
    )
    run = rows.selectExpr(
        "concat('q', topic) AS query_id",
        "concat('d', doc) AS doc_id",
        "(doc * (topic % {n_rankings} + 7) * 7919) % 10007 AS score",
    )
    qrels = rows.where("doc % 50 = 0").selectExpr(
        "concat('q', topic) AS query_id", "concat('d', doc) AS doc_id", "1 AS relevance"
    )
    started = time.monotonic()
    result = score(run, qrels, ["PRES@100", "AP"])
    # One group for all topics that have the same ranking.
    ranking = "CAST(substring(query_id, 2) AS int) % {n_rankings} AS ranking"
    scores = result.selectExpr(ranking, "measure", "value")
    scores = scores.groupBy("ranking", "measure", "value").count()
    rows = [list(row) for row in scores.collect()]
    print(json.dumps([time.monotonic() - started, rows]))
    spark.stop()
"""


def expected_scores():
    """Return the scores of each ranking, as ir-measures computes them."""
    run = {
        str(ranking): {
            f"d{doc}": float(doc * (ranking + 7) * 7919 % 10007) for doc in range(N_DOCS)
        }
        for ranking in range(N_RANKINGS)
    }
    qrels = {ranking: {f"d{doc}": 1 for doc in range(0, N_DOCS, 50)} for ranking in run}
    measures = [ir_measures.PRES @ 100, ir_measures.AP]
    return {
        (int(one.query_id), str(one.measure)): one.value
        for one in ir_measures.iter_calc(measures, qrels, run)
    }


@pytest.mark.slow
@pytest.mark.xdist_group("cluster")
def test_a_worker_that_dies_does_not_change_the_scores(tmp_path):
    require("pyspark")
    ui = free_port()
    with cluster(tmp_path) as running:
        settings = {
            "spark.master": running.url,
            **driver_settings(),
            "spark.driver.extraJavaOptions": QUICK_START,
            "spark.sql.shuffle.partitions": N_TASKS,
            "spark.ui.enabled": "true",
            "spark.ui.port": ui,
            "spark.ui.showConsoleProgress": "false",
        }
        code = textwrap.dedent(DRIVER).format(
            settings=json.dumps(settings),
            n_topics=N_TOPICS, n_docs=N_DOCS, n_rankings=N_RANKINGS, n_tasks=N_TASKS,
        )  # fmt: skip
        script, log = tmp_path / "driver.py", tmp_path / "driver.log"
        script.write_text(code)
        with (
            log.open("wb") as output,
            subprocess.Popen(
                [sys.executable, "-W", "ignore", script],
                stdout=subprocess.PIPE, stderr=output, env={**os.environ}, start_new_session=True,
            ) as popen,
        ):  # fmt: skip
            driver = Process(popen, log)
            try:
                busy = driver.wait_for(lambda: tasks_under_way(f"http://{LOOPBACK}:{ui}/api/v1"))
                running.workers[0].kill()
                running.master.wait_for(lambda: running.alive() == 1)
                printed, _ = popen.communicate(timeout=600)
            finally:
                driver.kill()
        assert popen.returncode == 0, log.read_text()[-5000:]
    seconds, rows = json.loads(printed)
    print(f"killed a worker with {busy}; the job took {seconds:.0f} s")
    assert seconds >= 20
    found = {(ranking, measure): value for ranking, measure, value, _ in rows}
    assert len(found) == len(rows), "topics with the same ranking scored differently"
    assert found == pytest.approx(expected_scores())
    counts = [count for *_, count in rows]
    assert counts == [N_TOPICS // N_RANKINGS] * (2 * N_RANKINGS)


def tasks_under_way(api):
    """Return the tasks of the job's largest stage, once some of them are done and some run."""
    for application in read_json(f"{api}/applications"):
        for stage in read_json(f"{api}/applications/{application['id']}/stages?status=active"):
            done, runs = stage["numCompleteTasks"], stage["numActiveTasks"]
            if stage["numTasks"] == N_TASKS and done >= 4 and runs >= 2:
                return f"{done} of {N_TASKS} tasks done and {runs} running"
    return None
