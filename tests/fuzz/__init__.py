"""Coverage-guided fuzzing; not run by pytest."""
