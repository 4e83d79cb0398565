"""What crosses between the driver and the Python workers: formats that both sides know."""
