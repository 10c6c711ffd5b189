"""The commands, one small file each: a function that returns its exit code."""
