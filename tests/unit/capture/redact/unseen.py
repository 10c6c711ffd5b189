"""Shapes kept apart from those the rules were written with, and secrets made in another way, to measure honestly.

Rules are never changed for one of these; a set that was looked into moves to limbeck/bench and a new one is written.
"""

from __future__ import annotations

import base64
import random

# {p} a password, {t} an opaque token, {h} hexadecimal; one of them is the secret of the line.
SHAPES = (
    "mysqlsh root@db1 --password={p} --sql",
    "mysql_config_editor set --login-path=x -p <<< {p}",
    "psql postgresql://erin:{p}@pg/x -c 'select 1'",
    "PGPASSFILE=<(echo 'pg:5432:x:erin:{p}') psql",
    "mongorestore -u erin -p {p} --authenticationDatabase admin dump/",
    "redis-cli --user erin --pass {p} ping",
    "memcached -S -u erin && saslpasswd2 -p -c erin <<< {p}",
    "cypher-shell -u neo4j -p {p} 'RETURN 1'",
    "arangosh --server.password {p}",
    "influxd && influx setup --username erin --password {p} --token {t0}",
    "couchbase-cli cluster-init --cluster-password {p}",
    "rethinkdb dump --password-file <(echo {p})",
    "snowsql -a x -u erin --password {p}",
    "bq --api_key {t} ls",
    "trino --user erin --password {p}",
    'kafka-console-consumer --consumer-property sasl.jaas.config=\'x required username="erin" password="{p}";\'',
    "rabbitmqctl authenticate_user erin {p}",
    "mosquitto_passwd -b /etc/mosq/pw erin {p}",
    "docker exec -e MYSQL_PWD={p} db mysql",
    "docker run --env=API_TOKEN={t} app",
    "podman login quay.io -u erin -p {p}",
    "buildah login --password {p} quay.io",
    "skopeo login -u erin -p {p} r.io",
    'docker compose run -e "ADMIN_PASSWORD={p}" web',
    "kubectl create secret generic x --from-literal api-key={t}",
    "kubectl exec pod -- env TOKEN={t} ./run",
    "helm install x ./c --set postgresql.auth.postgresPassword={p}",
    "argocd repo add https://git/x --username erin --password {p}",
    "flux create secret git x --username=erin --password={p}",
    "vault token create -id={t}",
    "VAULT_TOKEN={t} vault read secret/x",
    "consul login -bearer-token={t}",
    "nomad acl bootstrap {t}",
    "packer build -var aws_secret_key={b} t.json",
    'terraform login && echo \'credentials "app.terraform.io" {{ token = "{t}" }}\' > ~/.terraformrc',
    "aws configure set aws_secret_access_key {b}",
    "AWS_SECRET_ACCESS_KEY={b} terraform apply",
    'aws secretsmanager put-secret-value --secret-id x --secret-string \'{{"pw":"{p}"}}\'',
    "gcloud auth activate --access-token {t}",
    "az storage container list --connection-string 'AccountName=x;AccountKey={b}'",
    "az sql server create --admin-user erin --admin-password {p}",
    "heroku config:set SECRET_KEY={t}",
    "fly secrets set TOKEN={t} -a x",
    "npm config set //npm.x.io/:_authToken={t}",
    "echo //npm.x.io/:_authToken={t} > .npmrc",
    "yarn npm login --token {t}",
    "poetry publish --username erin --password {p}",
    "uv publish --token {t}",
    "cargo publish --token {t}",
    "mvn -Dgpg.passphrase={p} verify",
    "./gradlew -PsigningPassword={p} sign",
    "dotnet nuget push x.nupkg --api-key {t}",
    "git remote set-url origin https://erin:{t}@git.x.io/a.git",
    "git -c http.extraHeader='Authorization: Bearer {t}' fetch",
    "git push https://oauth2:{t}@gitlab.x.io/a.git",
    "curl -H 'api-key: {t}' https://x",
    'curl -H "X-Shop-Key: {t}" https://x',
    "curl https://x/api -d token={t}",
    "curl --data-urlencode 'password={p}' https://x/login",
    'curl --json \'{{"login":"erin","password":"{p}"}}\' https://x',
    "wget --header='Authorization: Bearer {t}' https://x",
    "http POST x/login username=erin password={p}",
    "ssh-add <<< '{p}'",
    "sshpass -p{p} rsync -a x h:",
    "expect <<< 'spawn su erin; send \"{p}\\r\"'",
    "echo '{p}' | su -c whoami erin",
    "echo -e '{p}\\n{p}' | passwd erin",
    "openssl enc -aes-256-cbc -k {p} -in a",
    "openssl genrsa -passout pass:{p} 2048",
    "zip -P {p} x.zip a",
    "7zz a -p{p} x.7z a",
    "gpg --passphrase {p} --batch -c a",
    "age -p <<< {p}",
    "smbclient //h/s -U 'erin%{p}'",
    "mount.cifs //h/s /m -o user=erin,pass={p}",
    "ldapwhoami -D uid=erin -w {p}",
    "nmcli d wifi connect Loft password {p}",
    "ssh erin@h # password: {p}",
    "Invoke-Command -Credential (New-Object PSCredential 'erin', (ConvertTo-SecureString '{p}' -AsPlainText -Force))",
    "$env:GH_TOKEN='{t}'",
    'cmd /c "set DB_PASS={p}&& run"',
    "runas /user:erin cmd <<< {p}",
    "POSTGRES_PASSWORD: {p}",
    "  - MYSQL_ROOT_PASSWORD={p}",
    'SMTP_PASSWORD="{p}"',
    'export TF_VAR_token="{t}"',
    "rabbitmq.password = {p}",
    "auth:\n  password: '{p}'\n",
    "token: {t} # ci",
    "password={p}\nusername=erin",
    '{{"apiKey":"{t}","env":"prod"}}',
    '{{"auth": {{"user": "erin", "pass": "{p}"}}}}',
    '"db_password": "{p}",',
    "<Password>{p}</Password>",
    '<add key="SmtpPassword" value="{p}"/>',
    '<connectionStrings><add connectionString="Server=s;User=erin;Password={p}"/></connectionStrings>',
    "wireless-key {p}",
    "snmpv3 user erin auth sha {p}",
    "enable secret {p}",
    "aaa key {p}",
    "pppoe password {p}",
    "api_secret = '{t}'",
    'SECRET = "{t}"',
    "conn.login(user='erin', password='{p}')",
    "engine = create_engine('mysql://erin:{p}@h/x')",
    "paramiko.SSHClient().connect('h', 22, 'erin', '{p}')",
    "imap.login('erin@x.io', '{p}')",
    "boto3.client('s3', aws_secret_access_key='{b}')",
    "client = OpenAI(api_key='{t}')",
    "sdk.init({{ apiKey: '{t}', region: 'eu' }})",
    "axios.get(u, {{ headers: {{ 'x-api-key': '{t}' }} }})",
    'headers.put("X-Auth-Token", "{t}");',
    'cfg.setProperty("db.password", "{p}");',
    'let key = hmac::Key::new(SHA256, b"{t}"); // secret',
    'password: "{p}".to_string(),',
    'db.Open("erin:{p}@tcp(h:3306)/x")',
    'sql.Open("postgres", "user=erin password={p} sslmode=disable")',
    "config.vm.provision :shell, env: {{ 'PASS' => '{p}' }}",
    "Cookie: sid={t}; a=b",
    "set-cookie: session={t}; path=/; secure",
    "authorization: token {t}",
    "x-goog-api-key: {t}",
    "401 for https://erin:{p}@x.io/a",
    "GET /cb?code={t}&state=x",
    "GET /x?access_token={t} HTTP/2",
    'time=1 level=debug msg="login" user=erin password={p}',
    "Error: invalid password '{p}' for user erin",
    "connect failed: mongodb://erin:{p}@h/x",
    "my password is {p}",
    "password is: {p}",
    "The password for erin has been reset to {p}.",
    "use {p} as the password",
    "you can use the token {t}",
    "API key = {t}",
    "here is my key {t}",
    "login: erin / {p}",
    "creds: erin:{p}",
    "user erin, pass {p}",
    "the db password ({p}) expires soon",
    "please rotate {t}, it leaked",
    "ssh password for the box: {p}",
    "pwd: {p}",
    "wifi: Loft / {p}",
    "root:{p}",
    "admin:{p}@10.0.0.9",
    "ALTER USER erin SET PASSWORD '{p}'",
    "CREATE USER erin WITH LOGIN PASSWORD '{p}' NOSUPERUSER;",
    "CREATE USER erin IDENTIFIED BY {p};",
    "db.changeUserPassword('erin', '{p}')",
    "SET PASSWORD = '{p}';",
)


def cases(seed: int, each: int = 5) -> list[tuple[str, str, str]]:
    """Return (shape, text, secret) for every shape, ``each`` times."""
    rng = random.Random(seed)
    made = []
    for shape in SHAPES:
        for _ in range(each):
            fill = _values(rng)
            name = next(name for name in ("p", "t", "h", "b") if "{" + name + "}" in shape)
            made.append((shape, shape.format(**fill), fill[name]))
    return made


def _values(rng: random.Random) -> dict[str, str]:
    made = [base64.urlsafe_b64encode(rng.randbytes(32)).decode().rstrip("="), rng.randbytes(20).hex()]
    made.append("".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", k=28)))
    return {
        "p": _password(rng),
        "t": rng.choice(made),
        "t0": rng.randbytes(8).hex(),
        "h": rng.randbytes(16).hex(),
        "b": base64.b64encode(rng.randbytes(30)).decode(),
    }


def _password(rng: random.Random) -> str:
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789"
    word = rng.choice(("Trout", "Gravel", "Pepper", "Shuttle", "Copper", "Meteor"))
    return rng.choice(
        (
            "".join(rng.choices(alphabet, k=14)),
            "".join(rng.choices(alphabet + "@#_-+%", k=18)) + "x1",
            f"{word}{rng.randint(100, 999)}${rng.choice('abcdefgh')}{rng.randint(10, 99)}",
            f"{word.lower()}_{rng.randint(1000, 9999)}_{rng.choice(('fox', 'owl', 'elk'))}!",
            "".join(rng.choices("bcdfghjkmnpqrstvwxz23456789", k=12)) + "7q",
        )
    )
