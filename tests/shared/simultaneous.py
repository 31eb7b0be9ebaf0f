"""Code that imports a framework and this package in several threads at the same time."""

import textwrap

IMPORTS = """
import sys, threading
sys.setswitchinterval(1e-6)
start, failures = threading.Barrier(8), []

def import_one(name):
    start.wait()
    try:
        __import__(name)
    except BaseException as error:
        failures.append(error)

threads = [
    threading.Thread(target=import_one, args=(name,))
    for name in ["{framework}", "pres_plugin"] * 4
]
[t.start() for t in threads]
[t.join() for t in threads]
import {framework}, pres_plugin
assert not failures, failures
"""


def imported_in_threads(framework, then):
    """Return code that imports both in eight threads, and then runs the code `then`."""
    return IMPORTS.format(framework=framework) + textwrap.dedent(then)
