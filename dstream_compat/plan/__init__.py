"""From the graph to the stages of streaming queries."""
