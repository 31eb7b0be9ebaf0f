"""Everything that is a table comes in here: judgements and runs in files of any format.

Each format is one module here and one line in the table in :mod:`.recognition`. :mod:`.run_files`
finds the files, :mod:`.columns` finds their columns, :mod:`.values` checks what they contain, and
:mod:`.file_sets` cuts the rows into whole topics.
"""

from __future__ import annotations

from pres_plugin.messages import imported

imported("polars", "files are read with polars", "cli")
