"""Settings as people see and change them: what each means, where it is written, and which parts take it."""
