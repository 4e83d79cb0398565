"""What is not Python: settings, scripts, READMEs, cells of other languages, Scala and Java."""
