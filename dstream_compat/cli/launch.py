"""The script that spark-submit starts: it runs the job that its first argument names."""

import sys

from dstream_compat.cli.missing_packages import say_begun
from dstream_compat.cli.run import run_script

if __name__ == "__main__":
    say_begun()
    sys.exit(run_script(sys.argv[1], sys.argv[2:]))
