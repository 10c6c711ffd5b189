"""``limbeck schedule``: the periodic tasks of a team, in the foreground."""

from __future__ import annotations

import os

from limbeck.errors import ScheduleRuns
from limbeck.services.home import Home
from limbeck.settings import load


def schedule() -> int:
    """Send the periodic tasks to the workers until asked to stop (Ctrl-C or SIGTERM).

    One process of a team does this. A second with the same home is refused; one with a home of its own would only
    send each task twice, and every task may run twice. `limbeck up` has it in its worker already.
    """
    from celery.apps.beat import Beat

    from limbeck.services.application import application, schedule_file
    from limbeck.services.sole import Sole

    settings = load()
    home = Home.at(settings.home)
    home.prepare()
    os.umask(0o077)
    sole = Sole(schedule_file(home))
    if not sole.taken():
        raise ScheduleRuns(home=home.path)
    app = application(settings, home)
    Beat(app=app, schedule=str(schedule_file(home)), loglevel=settings.log_level, quiet=True).run()
    sole.let_go()
    return 0
