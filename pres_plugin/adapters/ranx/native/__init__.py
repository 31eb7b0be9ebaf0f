"""The metrics and functions that are added to ranx."""

# Import ranx before any module of this folder. Importing ranx connects it, which
# imports these modules; none of them may be partly imported at that time.
import ranx  # noqa: F401
