"""``python -m workbench``: a worker or this computer's agent if asked to be one, else the command line.

They are told apart before anything else is imported: they must not carry Qt, and a worker may run
in another interpreter that has only an engine and numpy.
"""

import sys

if len(sys.argv) == 3 and sys.argv[1] == "--worker":
    from workbench.children.serve import serve

    sys.exit(serve(sys.argv[2]))

if sys.argv[1:] == ["--agent"]:
    from workbench.engines.mnn.host_agent.program import main as agent

    agent()

from workbench.cli import main

sys.exit(main())
