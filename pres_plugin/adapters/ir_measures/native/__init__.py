"""The measure and provider objects that are added to ir-measures."""

# Import ir_measures before any module of this folder. Importing ir_measures connects it,
# which imports these modules; none of them may be partly imported at that time.
import ir_measures  # noqa: F401
