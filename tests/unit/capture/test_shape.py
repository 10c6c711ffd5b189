"""Command shapes: what is shown, and that no value ever is."""

from __future__ import annotations

import base64
import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.shape import LONGEST, shape

SHOWN = [
    ("git commit -m 'fix login' && git push origin main", "git commit -m _ && git push origin main"),
    ("PGPASSWORD=abc psql -h db -U app mydb", "PGPASSWORD=_ psql -h _ -U _"),
    ("mysql -uroot -phunter app", "mysql -u_ -p_ _"),
    ("pytest -q tests/unit/test_a.py::test_x -k foo", "pytest -q tests/unit/test_a.py -k _"),
    ("cd web && npm run build 2>&1 | tail -n 20", "cd web && npm run build | tail -n _"),
    ("python -m pytest tests/unit -q", "python -m pytest tests/unit -q"),
    ("docker compose -f docker-compose.yml up -d", "docker compose -f docker-compose.yml up -d"),
    ("cat <<'EOF' > out.txt\nsecret line\nEOF\nls -la", "cat > out.txt; ls -la"),
    (
        "bash -lc 'echo $TOKEN | docker login --password-stdin'",
        "bash -lc (echo _ | docker login --password-stdin)",
    ),
    ("vault login s.abc", "vault login _"),
    ("export DB_PASSWORD=xyz", "export DB_PASSWORD=_"),
    ('echo "unterminated secret', "echo _"),
    ("kubectl create secret generic x --from-literal=password=v", "kubectl create secret _ --from-literal=_"),
    ("java -Dx.password=v -jar app.jar", "java -D_ -jar app.jar"),
    ("GITHUB_TOKEN=$(cat ~/.tok) gh pr list", "GITHUB_TOKEN=_ gh pr list"),
    ("if [ -f x.txt ]; then cat x.txt; fi", "[ -f x.txt _; cat x.txt"),
    ("# a comment\nmake test # another", "make test"),
    ("a=b\\\nc ls", "_=_ ls"),
    ("", ""),
]


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_a_command_becomes_its_shape(command: str, shown: str) -> None:
    assert shape(command) == shown


def test_a_path_that_the_policy_leaves_out_is_a_value() -> None:
    assert (
        shape("cat private/notes.md src/app.py", lambda path: not path.startswith("private/"))
        == "cat _ src/app.py"
    )


def test_a_long_command_is_cut_and_says_so() -> None:
    shown = shape("; ".join(["git status"] * 100_000))
    assert shown.endswith(" …")
    assert len(shown) <= LONGEST


TEMPLATES = [
    "curl -H 'Authorization: Bearer {}' https://api.example.com/x",
    "curl -u admin:{} https://example.com",
    "PGPASSWORD={} psql -h db",
    "export API_TOKEN={}",
    "mysql -p{} app",
    "mysql -p {} app",
    "sshpass -p {} ssh host",
    "redis-cli -a {} ping",
    "echo {} | docker login -u me --password-stdin",
    "docker login -p {} -u me",
    "vault kv put secret/app password={}",
    "npm config set //npm.acme.io/:_authToken {}",
    "gh secret set NAME -b {}",
    "cargo login {}",
    "htpasswd -b file.txt user {}",
    "aws configure set aws_secret_access_key {}",
    "git clone https://me:{}@github.com/o/r.git",
    "bash -c 'TOKEN={} ./run.sh'",
    "python -c \"print('{}')\"",
    "cat <<EOF > .env\nSECRET={}\nEOF",
    "cat <<EOF\n{}\nEOF",
    "wget --password={} url",
    "openssl enc -pass pass:{} -in a.txt",
    "mycli --token {} --verbose",
    "mycli {}",
    "{}",
    "{} --help",
    "sudo {} x",
    "echo '{}",
    "echo $({})",
    "x=`{}`",
    "cmd <<< {}",
    "cmd > {}",
    "find . -name {}",
    "az storage --account-key {} list",
    '$env:TOKEN = "{}"',
    "printf '%s' {} | gh auth login",
    "psql postgres://app:{}@db/main",
    "git commit -m 'token {}'",
    "FOO={} BAR=1 make test",
    "set -- {}",
]


def secrets(rng: random.Random) -> list[str]:
    """One of each kind that generators of secrets make."""
    raw = rng.randbytes(30)
    alphabet = string.ascii_letters + string.digits
    return [
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode().rstrip("="),
        raw.hex(),
        "".join(rng.choice(alphabet) for _ in range(24)),
        "".join(rng.choice(string.ascii_lowercase + string.digits) for _ in range(20)),
        "".join(rng.choice(alphabet + "!#%+@") for _ in range(14)),
        "gh" + "p_" + "".join(rng.choice(alphabet) for _ in range(36)),
        "".join(rng.choice(string.ascii_uppercase + string.digits) for _ in range(20)),
        "/".join("".join(rng.choice(alphabet) for _ in range(12)) for _ in range(3)),
    ]


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_secret_survives(template: str) -> None:
    rng = random.Random(template)
    for _ in range(40):
        for secret in secrets(rng):
            shown = shape(template.format(secret))
            assert not leaked(secret, shown), (template, secret, shown)


def leaked(secret: str, shown: str) -> bool:
    """Whether eight characters in a row of ``secret`` are shown."""
    return any(secret[at : at + 8] in shown for at in range(len(secret) - 7))


@given(st.text(max_size=300))
def test_any_text_has_a_shape_of_its_own_words_only(text: str) -> None:
    shown = shape(text)
    assert len(shown) <= LONGEST
    assert "\n" not in shown


@given(st.text(alphabet="'\"\\$`(){}<>|&;#\n ab=-", max_size=200))
def test_signs_of_the_shell_never_break_it(text: str) -> None:
    shape(text)
