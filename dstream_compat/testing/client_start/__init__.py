"""What Python runs first in workers of a job whose clients are recorded."""
