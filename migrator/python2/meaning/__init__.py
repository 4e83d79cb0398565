"""What means something else in Python 3: what is converted, and what stays in doubt."""
