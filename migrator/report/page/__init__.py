"""The parts of the HTML report."""
