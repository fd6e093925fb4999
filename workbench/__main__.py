"""``python -m workbench``: a worker if asked to be one, else the command line.

A worker is told apart before anything else is imported: it must not carry Qt, and it may run
in another interpreter that has only an engine and numpy.
"""

import sys

if len(sys.argv) == 3 and sys.argv[1] == "--worker":
    from workbench.children.serve import serve

    sys.exit(serve(sys.argv[2]))

from workbench.cli import main

sys.exit(main())
