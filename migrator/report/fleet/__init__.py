"""Reports about many projects: one summary of what each of them has to say."""
