"""compose.yaml: valid by the Compose specification, and careful with rights, ports, secrets and order."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import PurePosixPath

import pytest
from jsonschema.validators import validator_for

from limbeck.main import COMMANDS
from limbeck.services.postgres import CONFIGURATION
from limbeck.settings import load
from tests import composed

ACCOUNT = {"LIMBECK_UID": "1234", "LIMBECK_GID": "1235"}
MODEL = composed.ROOT / "deploy" / "compose.model.yaml"
SECRETS = "/run/secrets/"
ONE_SHOT = {"migrate"}


@pytest.fixture(scope="module")
def compose():
    return composed.load(variables=ACCOUNT)


@pytest.fixture(scope="module")
def services(compose):
    return compose["services"]


@pytest.fixture(scope="module")
def specification():
    folder = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((folder / "compose-spec.json").read_text("utf-8"))
    return validator_for(schema)(schema)


@pytest.mark.parametrize("path", [composed.ROOT / "compose.yaml", MODEL], ids=lambda path: path.name)
def test_it_follows_the_specification(path, specification):
    read = composed.load(path, ACCOUNT)
    assert [f"{error.json_path}: {error.message}" for error in specification.iter_errors(read)] == []


def test_the_specification_would_catch_a_mistake(specification):
    assert list(specification.iter_errors({"services": {"a": {"imagee": "b"}}}))


def test_without_an_account_nothing_starts():
    with pytest.raises(AssertionError, match=r"run deploy/secrets\.sh first"):
        composed.load()


def test_the_parts_are_there(services):
    assert set(services) == {"postgres", "queue", "migrate", "worker", "schedule", "server"}


def test_nothing_runs_as_root_or_may_become_it(services):
    for name, service in services.items():
        assert service["user"] == "1234:1235", name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.keys() & {"privileged", "cap_add", "network_mode", "pid", "ipc"}, name


def test_everything_is_watched_and_started_again(services):
    for name, service in services.items():
        assert service["init"] is True, name
        assert service["restart"] == ("on-failure:5" if name in ONE_SHOT else "unless-stopped"), name
        assert ("healthcheck" in service) == (name not in ONE_SHOT), name
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name


def test_ports_are_open_on_the_loopback_alone(services):
    published = [port for service in services.values() for port in service.get("ports", [])]
    assert len(published) == 3
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_images_are_pinned(services):
    for name, service in services.items():
        assert re.fullmatch(r"[a-z/-]+:\d+\.\d+\.\d+(-pg\d+)?", service["image"]), name
        assert "build" in service or name == "postgres"


def test_secrets_come_from_files_that_the_script_makes(compose, services):
    script = (composed.ROOT / "deploy" / "secrets.sh").read_text()
    for name, secret in compose["secrets"].items():
        assert secret == {"file": f"deploy/secrets/{name}"}
        assert re.search(rf"\b{name}\b", script), name
    for service in services.values():
        used = {value for value in service["environment"].values() if value.startswith(SECRETS)}
        assert used == {SECRETS + name for name in service["secrets"]}
        for variable, value in service["environment"].items():
            assert variable.endswith("_FILE") == value.startswith(SECRETS), variable
            assert "://" not in value, variable


def test_only_the_migration_knows_the_owner(services):
    knows = {name for name, service in services.items() if "database_owner_url" in service["secrets"]}
    assert knows == {"migrate"}


def test_every_setting_exists(services, tmp_path):
    secret = tmp_path / "secret"
    for service in services.values():
        ours = {k: v for k, v in service["environment"].items() if k.startswith("LIMBECK_")}
        for variable in ours:
            if variable.endswith("_URL_FILE"):
                secret.write_text("redis://queue" if "REDIS" in variable else "postgresql://postgres")
                load({"LIMBECK_HOME": str(tmp_path), variable: str(secret)})
        load({"LIMBECK_HOME": str(tmp_path)} | {k: v for k, v in ours.items() if not k.endswith("_FILE")})


def test_every_command_of_ours_exists(services):
    for name in ("migrate", "worker", "schedule"):
        assert services[name]["command"] == [name]
        assert name in COMMANDS
    assert services["server"]["command"] == ["serve"]
    for name in ("worker", "schedule", "server"):
        assert services[name]["healthcheck"]["test"] == ["CMD", "limbeck", "health", name]
    assert "health" in COMMANDS


def test_work_begins_on_a_migrated_database_and_a_healthy_queue(services):
    done, healthy = "service_completed_successfully", "service_healthy"
    for name in ("worker", "schedule", "server"):
        wanted = {part: on["condition"] for part, on in services[name]["depends_on"].items()}
        assert wanted == {"migrate": done, "postgres": healthy, "queue": healthy}
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": healthy}}


def test_what_must_last_is_in_named_volumes_and_the_rest_in_memory(compose, services):
    kept = {name: service.get("volumes", []) for name, service in services.items()}
    assert kept["postgres"][0] == "postgres:/var/lib/postgresql/data"
    assert services["postgres"]["environment"]["PGDATA"] == "/var/lib/postgresql/data/cluster"
    assert kept["queue"] == ["queue:/queue"]
    assert kept["schedule"] == ["schedule:/var/lib/limbeck"]
    assert kept["worker"] == kept["migrate"] == kept["server"] == []
    assert set(compose["volumes"]) == {"postgres", "queue", "schedule"}


def test_mounted_files_exist_and_are_read_only(services):
    for service in services.values():
        for volume in service.get("volumes", []):
            if volume.startswith("."):
                source, target, mode = volume.split(":")
                assert (composed.ROOT / source).is_file()
                assert PurePosixPath(target).is_absolute()
                assert mode == "ro"


def test_postgres_logs_no_statement_and_no_value(services):
    options = dict(word.removeprefix("-c").split("=") for word in services["postgres"]["command"][1:])
    quiet = {name: value for name, value in CONFIGURATION.items() if name.startswith("log_")}
    assert {name: options[name] for name in quiet} == quiet


def test_postgres_commits_before_it_answers(services):
    words = " ".join(services["postgres"]["command"])
    assert "fsync" not in words
    assert "synchronous_commit" not in words


def test_the_model_file_adds_to_what_is_there(services):
    added = composed.load(MODEL, ACCOUNT)["services"]
    assert added.keys() <= services.keys()
    assert added["worker"]["environment"]["LIMBECK_ANTHROPIC_API_KEY_FILE"] == SECRETS + "anthropic_api_key"
