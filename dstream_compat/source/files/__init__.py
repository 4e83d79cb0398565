"""Files of watched folders."""
