import sys

from pipelines import registry
from pipelines.decorators import REGISTERED

if __name__ == "__main__":
    for job in REGISTERED[sys.argv[1]]:
        job()
    registry.Registry.finish()
