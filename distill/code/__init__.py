"""What a project's files state about it: readers for manifests, and the proof a commit gives."""
