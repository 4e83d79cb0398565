"""Listeners: the events of a running context, and the bus that carries them."""
