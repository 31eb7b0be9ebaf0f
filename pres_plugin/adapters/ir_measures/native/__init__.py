"""The measure and provider objects that are added to ir-measures."""

# Import ir_measures before any module of this package. Its import connects it, and
# connecting imports these modules, which must not be partly imported by then.
import sys

import ir_measures  # noqa: F401

#: The modules of ir-measures whose classes this package uses.
USED = {
    name: sys.modules[name]
    for name in ("ir_measures.measures", "ir_measures.providers", "ir_measures.util")
}
