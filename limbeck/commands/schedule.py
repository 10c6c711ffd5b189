"""``limbeck schedule``: the periodic tasks of a team, in the foreground."""

from __future__ import annotations

import os

from limbeck.services.home import Home
from limbeck.settings import load


def schedule() -> int:
    """Send the periodic tasks to the workers until asked to stop (Ctrl-C or SIGTERM).

    One process of a team does this. A second would only send each task twice, and every task may run twice.
    `limbeck up` has it in its worker already.
    """
    from celery.apps.beat import Beat

    from limbeck.services.application import application, schedule_file

    settings = load()
    home = Home.at(settings.home)
    home.prepare()
    os.umask(0o077)
    app = application(settings, home)
    Beat(app=app, schedule=str(schedule_file(home)), loglevel=settings.log_level, quiet=True).run()
    return 0
