"""``pres-eval doctor spark`` starts Spark, and scores with it."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
def test_spark_is_started_when_it_is_asked_for():
    # There may be no Python of the same version on the PATH: scoring needs none.
    environment = {**os.environ, "PYSPARK_PYTHON": "no-python"}
    result = subprocess.run(
        [COMMAND, "doctor", "spark", "--json"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    _, spark = json.loads(result.stdout)["parts"]
    assert (spark["name"], spark["state"], spark["remedy"]) == ("spark", "works", None)
    assert spark["found"] == (
        "scores PRES@100, PRES_est@100, Rnorm(N=1000)@100, WSS(N=1000), TNR(N=1000), LastRel "
        "correctly in Spark"
    )
