"""The subcommands: what can be asked without a path."""
