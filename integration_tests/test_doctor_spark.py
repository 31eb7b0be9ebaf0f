"""``pres-eval doctor spark`` starts Spark, and scores with it."""

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

COMMAND = str(Path(sysconfig.get_path("scripts")) / "pres-eval")


@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
def test_spark_is_started_when_it_is_asked_for():
    result = subprocess.run(
        [COMMAND, "doctor", "spark", "--json"], capture_output=True, text=True, check=True
    )
    _, spark = json.loads(result.stdout)["parts"]
    assert (spark["name"], spark["state"], spark["remedy"]) == ("spark", "works", None)
    assert spark["found"].endswith(
        "; scores PRES@100, PRES_est@100, Rnorm(N=1000)@100 right in Spark"
    )
