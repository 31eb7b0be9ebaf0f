"""Import ranx, and compile the functions that it does not cache on disk.

Pages that use ranx run in forks of a process that has imported this module. This saves each page
4 seconds.
"""

import ranx

ranx.Qrels({"q": {"EP1203408": 1}}).to_typed_list()
ranx.Run({"q": {"EP1203408": 1.0}}).to_typed_list()
