"""Settings changed over the server, by whoever may do everything there: what such a person may not reach stays here.

Where things lie, and who gets in, is changed on the machine: a mistake in it would keep everybody from correcting it
over the server. An address that a key is sent to is changed only together with the key, so that nobody has a key that
they cannot read sent to themselves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from limbeck.configure.change import change, set_by
from limbeck.errors import BadSetting
from limbeck.services import state as states
from limbeck.services.home import Home
from limbeck.services.state import Phase
from limbeck.settings import Settings, known_settings, load

ON_THE_MACHINE = frozenset(
    {
        *("client", "database_url", "database_owner_url", "redis_url", "remote_url", "token"),
        *("server", "server_host", "server_port", "server_hosts", "server_proxies", "server_rate"),
    }
)
SENT_TO = {"anthropic_url": "anthropic_api_key", "embeddings_url": "embeddings_key"}
COMMAND = "On the server's machine: limbeck config set {name}"
DEPLOYED = "This server is part of a deployment that keeps its settings: change it there"


def kept_from(
    settings: Settings, name: str, *, here: bool, environment: Mapping[str, str] | None = None
) -> str:
    """Say why ``name`` cannot be changed over the server, or nothing; ``here``: `limbeck up` runs every part here."""
    env = os.environ if environment is None else environment
    if (variable := set_by(name, env)) is not None:
        return f"Set by {variable}: change it there"
    if not here:
        return DEPLOYED
    if name in ON_THE_MACHINE:
        return COMMAND.format(name=name)
    key = SENT_TO.get(name)
    if key is not None and getattr(settings, key) and (variable := set_by(key, env)) is not None:
        return f"The key that is sent there is set by {variable}: change both there"
    return ""


def change_afar(
    settings: Settings, wanted: Mapping[str, str | None], seen: Mapping[str, str] | None = None
) -> Settings:
    """Write the ``wanted`` values. Raises BadSetting for what is kept from here, and what ``change`` raises.

    A key counts as soon as the file holds it, also where ``settings``, which are in force, have none yet.
    """
    here = runs_here(settings)
    settings = load(dict(os.environ) | {"LIMBECK_HOME": str(settings.home)})
    for name in wanted:
        if name in known_settings() and (why := kept_from(settings, name, here=here)):
            raise BadSetting(name=name, why=why[0].lower() + why[1:])
    for address, key in SENT_TO.items():
        if address in wanted and getattr(settings, key) and key not in wanted:
            raise BadSetting(
                name=address, why=f"the key is sent there, so give {key} with it (or take it out)"
            )
    return change(settings.home, wanted, seen=seen)


def runs_here(settings: Settings) -> bool:
    """Whether `limbeck up` runs every part on this machine: only there does one file reach them all."""
    state = states.read(Home(settings.home).run)
    return state is not None and state.alive and state.phase in (Phase.STARTING, Phase.READY)
