"""The scripts of ``pres-eval completion``, in the shells themselves."""

import os
import shutil
import subprocess
import sysconfig

import pytest

# Without a terminal, bash and zsh let a caller state the words and read the offers.
WORDS = "pres-eval compare --test wil"
SHELLS = {
    "bash": f'eval "$(pres-eval completion bash)"; COMP_WORDS=({WORDS}) COMP_CWORD=3; '
    "_pres_eval_completion pres-eval; echo $COMPREPLY",
    "zsh": f"words=({WORDS}) CURRENT=4; compdef() {{}}; compadd() {{ echo $completions }}; "
    'eval "$(pres-eval completion zsh)"; _pres_eval_completion',
    "fish": f"pres-eval completion fish | source; complete -C '{WORDS}'",
}


@pytest.mark.ci
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_a_value(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    # The user's own settings are in HOME.
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    command = [shell, "-c", SHELLS[shell]]
    assert subprocess.check_output(command, env=environment, text=True) == "wilcoxon\n"
