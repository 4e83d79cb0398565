"""One rule per file: `d<number>_<name>.py`. The registry finds them; nothing else lists them."""
