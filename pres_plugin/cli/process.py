"""Where the command meets the operating system: signals, exit codes and unexpected errors."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from pres_plugin.cli.streams import called, drop_output, safe_streams, say
from pres_plugin.remedy import shortened

#: If this environment variable is not empty, an unexpected error prints its traceback.
TRACEBACK = "PRES_EVAL_TRACEBACK"

#: The exit code that shells use after Ctrl-C.
INTERRUPTED = 130

# The errors that writing to standard output may cause.
_OF_OUTPUT = {errno.EBADF, errno.EFBIG, errno.EIO, errno.ENOSPC, getattr(errno, "EDQUOT", None)}

# Polars hangs if it has to start a hundred thousand threads, and panics if it has to start none.
_MOST_THREADS = 1024

# The megabytes of address space that a report of small files needs, and those that each core adds.
# The threads of polars, numpy and scipy reserve most of it and never use it.
_REPORT_MB, _CORE_MB = 1700, 200

# Seconds until a signal is repeated: more than it takes to remove temporary files.
_SOON = 0.2


class Stopped(BaseException):
    """A signal asked the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number: int = number
        self.exit_code: int = 128 + number


def guarded(run: Callable[[], int], name: str = "pres-eval") -> NoReturn:
    """Run the command and exit with its status, or with a one-line error message.

    Messages begin with the command's name. The exit code is 2 if something is wrong with the
    environment, 1 for an unexpected error, and 128 plus the number of the signal that ended
    the command. Context managers always exit, so temporary files are removed.
    """
    with called(name), safe_streams():
        try:
            with _signals():
                status = _status(run)
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Stopped as stopped:
            status = stopped.exit_code
        with suppress(OSError):
            sys.stderr.flush()
        if status >= 128:
            # Python would wait for threads that still read files.
            with suppress(OSError):
                sys.stdout.flush()
            os._exit(status)
    sys.exit(status)


def _status(run: Callable[[], int]) -> int:
    try:
        if problem := _problem_of_the_environment():
            say(problem)
            return 2
        status = run()
        sys.stdout.flush()
        return status
    except SystemExit:  # Click ends like this if nobody reads the output any more
        with suppress(OSError):
            sys.stdout.flush()
        drop_output()
        raise
    except (KeyboardInterrupt, Stopped):
        raise
    except BaseException as error:  # a panic of polars is no Exception
        return _failed(error)


def _failed(error: BaseException) -> int:
    """Print why the command failed, and return its exit code."""
    if isinstance(error, ImportError) and isinstance(error.__cause__, ImportError):
        error = error.__cause__  # what a module of ours reports to users of Python
    if package := failing_import(error):
        say(import_problem(error, package, "cli"))
    elif isinstance(error, ImportError) and error.name is None:
        say(str(error))  # a module of ours found a version that is too old
    elif isinstance(error, OSError):
        # Other code reports errors in input files and result folders. This one may be a
        # full disk, for example.
        drop_output()
        where = "standard output" if error.errno in _OF_OUTPUT else "the operating system"
        say(f"{error.filename or where}: {error.strerror or error}")
    elif limit := low_limit():
        say(_not_enough(limit, error))
    elif isinstance(error, MemoryError):
        say("there is not enough memory")
    else:
        if os.environ.get(TRACEBACK):
            traceback.print_exception(error)
        say(
            f"unexpected error: {_summary(error)}; please report it, with the traceback that "
            f"{TRACEBACK}=1 prints"
        )
        return 1
    return 2


def failing_import(error: BaseException) -> str | None:
    """Return the package whose import raised an error, or None if it was not an import."""
    if isinstance(error, ImportError) and error.name:
        return None if error.name.startswith("pres_plugin") else error.name
    if isinstance(error, SyntaxError) and error.filename:
        return Path(error.filename).stem
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_name == "<module>":
            package = str(frame.f_globals.get("__name__")).partition(".")[0]
            if package not in ("__main__", "pres_plugin"):
                return package
    return None


def import_problem(error: BaseException | None, package: str, extra: str) -> str:
    """Say how to install or repair a package that an extra needs; `error` is its import error."""
    needs = {"cli": "the command needs", "study": "studies need"}[extra]
    wheel = f"'pres-plugin[{extra}]'"
    if error is None or (isinstance(error, ModuleNotFoundError) and "." not in package):
        return f"{package} is not installed; to install what {needs}: pip install {wheel}"
    if limit := low_limit():
        return _not_enough(limit, error)
    return (
        f"{package} cannot be imported ({_summary(error)}); reinstall it, or upgrade what "
        f"{needs}: pip install --upgrade {wheel}"
    )


def low_limit() -> str | None:
    """Say what limits the address space to less than a report needs, or return None.

    Libraries then fail in many ways: some end the process, others are imported only in part.
    """
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or limit >= report_mb() * 10**6:
        return None
    return f"the address space is limited to {limit // 10**6:,} MB (ulimit -v)"


def report_mb() -> int:
    """Return about how many megabytes of address space a report needs."""
    affinity = getattr(os, "sched_getaffinity", None)  # macOS has none
    n_cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return _REPORT_MB + _CORE_MB * n_cores


def _not_enough(limit: str, error: BaseException) -> str:
    return f"there is not enough memory: {limit}; raise the limit ({_summary(error)})"


def _summary(error: BaseException) -> str:
    """Return the type and the message of an error in one short line."""
    return shortened(" ".join(f"{type(error).__name__}: {error}".split()).rstrip(":"), 300)


def _problem_of_the_environment() -> str | None:
    threads = os.environ.get("POLARS_MAX_THREADS", "")
    if threads.isdecimal() and not 1 <= int(threads[:9]) <= _MOST_THREADS:
        return (
            f"the environment variable POLARS_MAX_THREADS must be a number from 1 to "
            f"{_MOST_THREADS}, got {threads:.60}"
        )
    return None


@contextmanager
def _signals() -> Iterator[None]:
    """Turn the signals that ask a process to end into exceptions, for cleaning up."""
    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        # A signal may be ignored on purpose, as by nohup.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            before[number] = signal.signal(number, _stop)
    hook, sys.unraisablehook = sys.unraisablehook, _ignored
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: Any) -> NoReturn:
    raise Stopped(number)


def _ignored(ignored: Any) -> None:
    """Repeat a signal whose exception Python has ignored, as it does in finalizers.

    Otherwise, the command might go on. After Ctrl-C, polars may raise an exception, too, and
    the command has ended before the signal is repeated.
    """
    error = ignored.exc_value
    if isinstance(error, KeyboardInterrupt | Stopped):
        number = error.number if isinstance(error, Stopped) else signal.SIGINT
        timer = threading.Timer(_SOON, signal.raise_signal, (number,))
        timer.daemon = True
        timer.start()
    elif os.environ.get(TRACEBACK):
        sys.__unraisablehook__(ignored)
