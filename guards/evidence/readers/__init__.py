"""One module a format: what is on disk becomes evidence. A reader never raises on bad data and never guesses."""
