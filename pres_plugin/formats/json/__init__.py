"""JSON, JSON lines and MTEB's predictions.

:mod:`.detection` recognises them by their first bytes. :mod:`.parts` cuts text into topics,
:mod:`.values` parses it, :mod:`.documents` finds the documents of each topic, and :mod:`.files`
puts these steps together.
"""
