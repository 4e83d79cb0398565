"""A server of the Model Context Protocol, whose tools run the commands of `migrate`."""
