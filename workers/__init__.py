"""The Celery shell: tasks of a few lines around the domain packages."""
