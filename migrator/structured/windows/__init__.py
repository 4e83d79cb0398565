"""Windows: their lengths, their inverse functions, and the classes that keep their slices."""
