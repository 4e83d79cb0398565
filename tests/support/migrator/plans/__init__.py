"""What the jobs of the golden projects read, interval by interval."""

from tests.support.migrator.plans.first import FIRST
from tests.support.migrator.plans.python2 import PYTHON2
from tests.support.migrator.plans.servers import SERVERS
from tests.support.migrator.plans.shapes import SHAPES

JOBS = [*FIRST, *SHAPES, *SERVERS, *PYTHON2]
