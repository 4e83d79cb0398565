"""DStream's methods, one family per file; all of them only document, check and delegate."""
