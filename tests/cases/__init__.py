"""Cases made after real public bug reports: `cases.json` says what each is about and where it comes from."""
