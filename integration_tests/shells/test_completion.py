"""The script of ``pres-eval completion``, in a shell itself."""

import os
import shutil
import subprocess
import sysconfig

import pytest

# Without a terminal, bash lets a caller state the words and read the offers.
SCRIPT = """
eval "$(pres-eval completion bash)"
COMP_WORDS=(pres-eval compare --test wil) COMP_CWORD=3; _pres_eval_completion pres-eval
echo $COMPREPLY
"""


@pytest.mark.ci
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_a_value(tmp_path):
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    # The user's own settings are in HOME.
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    completed = subprocess.check_output(["bash", "-c", SCRIPT], env=environment, text=True)
    assert completed == "wilcoxon\n"
