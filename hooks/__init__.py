"""What agents and git run, and what installs it. Standard library only; imports capture alone."""
