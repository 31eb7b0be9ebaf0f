"""ASReview's projects, which are read without ASReview.

:mod:`.project` reads them, :mod:`.files` turns them into runs and qrels, and
:mod:`.simulations` into rankings. The subcommand ``asreview pres`` is in
:mod:`pres_plugin.cli.asreview`.
"""

from __future__ import annotations

from pres_plugin.formats.asreview.project import Screening, read_screening
from pres_plugin.formats.asreview.simulations import Simulation, read_simulations

__all__ = ["Screening", "Simulation", "read_screening", "read_simulations"]
