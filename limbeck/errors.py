"""What can go wrong at the front door, each a sentence that ends with what to do."""

from __future__ import annotations

from schema.errors import LimbeckError


class HomeUnusable(LimbeckError):
    """The home folder {path} cannot be used: {why}. Choose another with LIMBECK_HOME, or give it to this
    account."""


class NoUnprivilegedAccount(LimbeckError):
    """Postgres does not run as root and none of the accounts {names} exists here. Run limbeck as an ordinary
    user, or point LIMBECK_DATABASE_URL at a server of your own."""


class ServerBinaryMissing(LimbeckError):
    """The {name} that ships with limbeck is not there for this platform ({platform}). Point {setting} at a
    server of your own."""


class ServerStartFailed(LimbeckError):
    """{name} did not start: {why}. Its log is {log}."""

    permanent = False


class ServerStopFailed(LimbeckError):
    """{name} (pid {pid}) did not stop within {seconds} seconds. End it by hand, then try again."""

    permanent = False


class UnknownSetting(LimbeckError):
    """There is no setting {name} ({where}). Remove it or correct its name; the settings are {known}."""


class BadSetting(LimbeckError):
    """{name} cannot be used: {why}."""


class BadSettingsFile(LimbeckError):
    """The settings file {path} cannot be used: {why}."""


class SettingsBusy(LimbeckError):
    """Another change of {path} is being written and did not end. Try again; nothing was changed."""

    permanent = False


class NoSpace(LimbeckError):
    """The disk of {path} has {free} MB left and {needed} MB are needed. Free some, or choose another folder
    with LIMBECK_HOME."""


class ProcessorTooOld(LimbeckError):
    """The pgvector that ships with limbeck does not run on this processor ({why}): it needs AVX2 on x86 and
    SVE on ARM Linux. Point LIMBECK_DATABASE_URL at a Postgres of your own that has pgvector."""


class StartFailed(LimbeckError):
    """{why}"""


class FileTrouble(LimbeckError):
    """The file {path} cannot be used: {why}."""


class DiskFull(LimbeckError):
    """Nothing more can be written: {why}. Make room on the disk that LIMBECK_HOME lies on (or the file that was
    named), then run this again."""

    permanent = False


class Unforeseen(LimbeckError):
    """This failed in a way that nobody foresaw. With LIMBECK_LOG_LEVEL=debug it tells every place it passed"""


class NotRunning(LimbeckError):
    """Limbeck is not running here (its home is {home}): run `limbeck up`."""

    permanent = False


class ScheduleRuns(LimbeckError):
    """Another process sends the periodic tasks of {home} already; `limbeck up` does so in its worker. Nothing was
    started."""

    permanent = False


class KeptElsewhere(LimbeckError):
    """The memory of this machine is kept at {url} (LIMBECK_REMOTE_URL), so there is nothing to start here but the
    shipper: run `limbeck ship`."""


class DatabaseUnreachable(LimbeckError):
    """No Postgres answers at {where}: {why}. Start it, or correct LIMBECK_DATABASE_URL."""

    permanent = False


class DatabaseRefused(LimbeckError):
    """Postgres at {where} refused the connection: {why}. Correct LIMBECK_DATABASE_URL."""


class DatabaseUnfit(LimbeckError):
    """Postgres at {where} cannot be used: {why}."""


class QueueUnreachable(LimbeckError):
    """No Redis or Valkey answers at {where}: {why}. Start it, or correct LIMBECK_REDIS_URL."""

    permanent = False


class QueueRefused(LimbeckError):
    """Redis at {where} refused the connection: {why}. Correct LIMBECK_REDIS_URL."""


class QueueUnfit(LimbeckError):
    """Redis at {where} cannot be used: {why}."""


class MigrationFailed(LimbeckError):
    """The database at {where} could not be brought to this version's schema and is as it was: {why}."""


class NotATranscript(LimbeckError):
    """{path} is not a transcript of Claude Code or Codex: none of its first lines is a record of theirs. Name the
    .jsonl file of a session, or a folder of them."""


class NothingToImport(LimbeckError):
    """There is nothing to import at {path}: {why}."""


class DemoFailed(LimbeckError):
    """The demonstration stopped: {what} failed: {why}"""


class NotALabelledSet(LimbeckError):
    """{path} holds no labelled set: {why}. Point --data at a folder in one of the layouts."""


class NotWritten(LimbeckError):
    """Of {corpus} only {done} of {of} sessions can be recalled, and {kept} events are in quarantine. Look at the
    lines above for what stopped the rest."""


class NotADemo(LimbeckError):
    """{path} is not a demonstration that was kept, so nothing there is removed. `limbeck demo --keep` said its name."""


class NotAFolder(LimbeckError):
    """There is no folder {path}."""


class LeadsOut(LimbeckError):
    """{path} is not read: a symbolic link leads it out of {folder}. Name its target itself where you mean it."""
