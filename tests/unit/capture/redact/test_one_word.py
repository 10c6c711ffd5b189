"""One word as a password where a person tells it: in a sentence, among labels, below its label, to a program."""

import pytest

from capture.net import second_net
from capture.redact import redact

ONE = "dragon" + "flyx"
WORD = "marma" + "lade"
PAIR = "mountain-" + "watermelon"
SPACED = "velvet monkey window staple"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"user: bob, password: {ONE}", ONE),
        (f"username: bob  password: {WORD}  host: db", WORD),
        (f"login: bob / password: {ONE}", ONE),
        (f"password: {ONE}, host: db", ONE),
        (f"password:\n  {ONE}\n", ONE),
        (f"Password:\n{WORD}", WORD),
        (f"login:\nbob\npassword:\n{ONE}\nok", ONE),
        (f"Enter password: {ONE}", ONE),
        (f"[sudo] password for bob: {WORD}", WORD),
        (f"**Password:** {ONE}", ONE),
        (f"| password | {WORD} |", WORD),
        (f"mot de passe : {ONE}", ONE),
        (f"the password is {WORD}", WORD),
        (f"The password is {WORD}.", WORD),
        (f"my db password is {ONE} and the user is bob", ONE),
        (f"the admin password is {PAIR}", PAIR),
        ("the wifi password is Mountain" + "Watermelon", "Mountain" + "Watermelon"),
        (f"The password for bob is {ONE}, thanks", ONE),
        (f"das Passwort ist {WORD}", WORD),
        (f"I set the root password to {WORD}", WORD),
        (f"log in with bob and the password {ONE}", ONE),
        (f"use password {ONE} for the staging db", ONE),
        (f"ssh bob@db, pw {WORD}", WORD),
        (f'my password "{WORD}" is rejected', WORD),
        (f"my passphrase is {SPACED}", SPACED),
        ("our passcode is 48" + "2913", "48" + "2913"),
        (f"credentials: bob:{ONE}", ONE),
        (f"username/password: bob/{WORD}", WORD),
        (f"user/pass is bob / {WORD}", WORD),
        (f"X-Auth-Token: {SPACED}", SPACED),
        (f"X-Auth-Token: {WORD}", WORD),
        ("X-Auth-Token: purple " + WORD, WORD),
        (f"curl -H 'x-api-key: {ONE}' https://db", ONE),
        (f'{{"headers":{{"x-api-key":"{ONE}"}}}}', ONE),
        (f"JWT_SECRET={ONE}", ONE),
        (f'psql "host=db password={WORD} user=bob"', WORD),
        (f"password={ONE} user=bob", ONE),
        (f"Server=db;Pwd={ONE};Database=shop", ONE),
        ("run password=hunter" + "2 now", "hunter" + "2"),
        ("password=hunter" + "2 postgres://db/shop", "hunter" + "2"),
        (f"export VAULT_TOKEN={WORD}", WORD),
        (f'SESSION_SECRET="{SPACED}"', SPACED),
        (f"docker build --build-arg NPM_TOKEN={ONE} .", ONE),
        (f"secretKey: {ONE}", ONE),
        (f"apiKey: {WORD}\n", WORD),
        (f"tool --token={WORD}", WORD),
        (f"tool --api-key {PAIR}-{ONE}", ONE),
        (f"echo {WORD} | sudo -S ls", WORD),
        (f"echo '{ONE}' | docker login -u bob --password-stdin", ONE),
        (f"cryptsetup luksOpen /dev/x y <<< {WORD}", WORD),
        (f'expect "Password:" ; send "{ONE}\\r"', ONE),
        (f"htpasswd -b .htpasswd bob {ONE}", ONE),
        (f"twine upload -u bob -p {WORD}", WORD),
        (f"sqlplus app/{WORD}@db", WORD),
        (f"jdbc:oracle:thin:app/{ONE}@db:1521/x", ONE),
        (f"ENV DB_PASSWORD {ONE}", ONE),
        (f"setx DB_PASSWORD {WORD}", WORD),
        (f"requirepass {ONE}\n", ONE),
        (f"- name: DB_PASSWORD\n  value: {ONE}", ONE),
        (f'setenv("DB_PASSWORD", "{WORD}")', WORD),
        (f'auth=("bob", "{WORD}")', WORD),
        (f'args: ["--password", "{ONE}"]', ONE),
        (f"Cookie: auth={ONE}", ONE),
        (f'psk="{WORD}"', WORD),
        ("api key: e60bcc32-c226-441d-aad9-27ede3257fa6", "e60bcc32-c226-441d-aad9-27ede3257fa6"),
        (f"bob:{ONE}@db1:5432", ONE),
        (f"SET PASSWORD FOR 'bob'@'%' = '{WORD}';", WORD),
    ],
)
def test_a_word_that_is_told_goes(text, secret):
    clean = redact(text)[0]
    assert secret not in clean
    assert redact(clean)[0] is clean


@pytest.mark.parametrize(
    "text",
    [
        "the password is hidden",
        "the password is visible in the log",
        "the password is wrong",
        "the password is mandatory",
        "the password is currently stored in plain text",
        "the password is something only bob knows",
        "the password is longer than eight characters",
        "is the password correct, or what is it",
        "enter your password to continue",
        "reset the password to unlock the account",
        "with password authentication",
        "log in with the password manager",
        "use password hashing for this",
        "the user and password fields",
        "def login(user: str, password: cleartext)",
        "{ user: name, password: cleartext }",
        "if not password:\n    return",
        "elif password:\n    continue",
        "password:\n  type: string\n",
        "password:\n  required",
        "password: handle the empty case",
        "fix(auth): password: validation",
        "| user | password | role |",
        "| password | required |",
        "'X-Auth-Token': authtoken",
        "X-Auth-Token: required",
        "X-Auth-Token: header missing",
        "X-Api-Key: your key here",
        "TOKEN=none",
        "API_KEY=required",
        "token: identifier",
        "credentials: 'include'",
        "credentials: same-origin",
        "args.add('--password', 'password')",
        "echo hello | tee log.txt",
        "accessToken: response.accessToken",
        "api_key: SecretStr",
        "htpasswd -c .htpasswd bob",
        "mailto:someone@example.com",
        "password reset",
        "login: github",
        "login password=value user=name",
        "connect(host, password=given, user=name)",
        "open(name, password=pw1, mode=2)",
    ],
)
def test_what_sentences_and_code_say_there_stays(text):
    assert second_net(redact(text)[0])[0] == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("vault kv put secret/x value=Thunder" + "bird2754#", "bird2754"),
        ("u=bob&p=Ele" + "phant1088$", "phant1088"),
        ("log in as admin/Light" + "house1196$", "house1196"),
        ("root:Water" + "melon82!@10.0.0.1", "melon82"),
        ("gem push --key " + "3a962e4aaa345318" * 2, "3a962e4aaa345318"),
        (f'requirepass "{ONE}"', ONE),
        (f'signingConfigs {{ keyPassword "{WORD}" }}', WORD),
        (f"<connectionString>Server=x;Password={WORD}</connectionString>", WORD),
        (f"app:{ONE}@tcp(127.0.0.1:3306)/x", ONE),
        (f'os.environ.setdefault("SECRET_KEY", "{WORD}")', WORD),
        (f'config.set("password", "{ONE}")', ONE),
        (f'page.fill("#password", "{WORD}")', WORD),
        (f'driver.find_element("password").send_keys("{ONE}")', ONE),
        (f'await page.getByLabel("Password").fill("{ONE}")', ONE),
        (f'const PASSWORD: &str = "{WORD}";', WORD),
        (f'let password = String::from("{ONE}");', ONE),
        (f"; password = {ONE}", ONE),
        (f"<!-- password: {WORD} -->", WORD),
        (f"/* password: {WORD} */", WORD),
        (f"id/pw: bob/{ONE}", ONE),
        ("the master key " + "fa1024e79d517a9b" * 4, "fa1024e79d517a9b"),
        ("my PIN is 72" + "3621", "72" + "3621"),
        ("verification code: 40" + "4877", "40" + "4877"),
        (f'my pass phrase "{SPACED}"', SPACED),
        (f"basic auth bob:{ONE}", ONE),
    ],
)
def test_more_places_where_one_is_told(text, secret):
    clean = redact(text)[0]
    assert secret not in clean
    assert redact(clean)[0] is clean


@pytest.mark.parametrize(
    "text",
    [
        "exit code is 1234",
        "4c04ddcf9b Fix the password reset",
        "9f3c2ab1 auth: rotate the token",
        "(merge 1a6a2be3a1 pw/rebase-fixes later to maint)",
        "Pass `format_checker=True` to generate operations",
        "pin: 13",
        "pinned at line 4021",
        'config.get("password", "default")',
        'form.set("password", "required")',
        "if digest=Sha256!=other",
        'page.fill("#username", "dragonfly")',
        "// password: handled by the caller",
        "the key is fa1024e79d517a9b of the cache",
        "Bob1234@example.com",
        "let password = String::new();",
    ],
)
def test_and_what_stays_beside_them(text):
    assert second_net(redact(text)[0])[0] == text


GENERATED = "Zk39qqd8" + "fjAa7"


@pytest.mark.parametrize(
    "text",
    [
        f"pw is {GENERATED}",
        f"hello\npw is {GENERATED}",
        f"user = bob:{GENERATED}\n",
        f'proxy-user = "bob:{GENERATED}"\n',
        f"ftp = FTP('h', 'bob', '{GENERATED}')",
        f"new PDO($dsn, 'bob', '{GENERATED}')",
        f"https://h/in?t={GENERATED}{GENERATED}&channel=ops",
        f"<key>API_TOKEN</key>\n<string>{GENERATED}{GENERATED}</string>",
        f"netsh wlan set profileparameter name=Attic keyMaterial={GENERATED}",
        f"gopass insert x {GENERATED}",
        f"bw unlock {GENERATED}",
    ],
)
def test_generated_ones_go_there_too(text):
    assert GENERATED not in redact(text)[0]
