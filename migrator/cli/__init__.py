"""The command line: options, subcommands, exit codes."""
