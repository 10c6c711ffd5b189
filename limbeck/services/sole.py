"""One process of a home sends its periodic tasks: whoever holds the lock beside the schedule's file."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout


class Sole:
    """The right to send them. The system takes it back from a process that is killed, also where children outlive it.

    Take it and let go of it in one thread.
    """

    def __init__(self, schedule: Path) -> None:
        """``schedule`` is where it is kept when each task last ran. Nothing is taken yet."""
        self._lock = FileLock(schedule.with_name(f"{schedule.name}.lock"), mode=0o600)

    def taken(self) -> bool:
        """Take it where nobody has it, and say whether it is ours. Never waits."""
        try:
            if not self._lock.is_locked:
                self._lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def let_go(self) -> None:
        """Let another process have it; nothing where it is not ours."""
        self._lock.release()
