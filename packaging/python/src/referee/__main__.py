"""Runs the program: ``python -m referee test`` is ``referee test``."""

import os
import subprocess
import sys

from referee import binary


def main() -> None:
    command = [binary(), *sys.argv[1:]]
    if sys.platform == "win32":
        # Windows has no way to become another program.
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


main()
