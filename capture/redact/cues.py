"""The words that finders look for, kept apart from them: a text without such a word never loads its finder."""

# fmt: off
# Lower-case fragments one of which every secret name holds.
KEYWORDS = (
    "pass", "pwd", "secret", "token", "key", "cred", "auth", "pw", "jwt", "bearer", "pepper", "salt",
    "signature", "sig", "session", "sid", "psk", "otp", "pin", "contras", "senha", "kennwort", "passwort",
    "hasło", "пароль", "密码", "비밀번호", "패스워드", "암호", "비번",
    "webhook", "cert", "seed", "login", "community", "masterauth", "keymaterial",
)
# Words after which a password is told, and those near which one may be.
SURE = (
    "passw", "pwd", "passphrase", "passcode", "pass phrase", " pw", "\npw", "kennwort", "mot de passe", "contrase",
    "senha", "wachtwoord", "hasło", "пароль", "パスワード", "密码", "비밀번호", "패스워드", "암호", "비번",
    "口令", "(pw ", " mdp", "la clave", "parola d",
)
NEAR = (
    *SURE,
    "token", "api key", "api_key", "apikey", "secret", "credential", "creds", "access key", "login", "log in",
    "log into", "sign in", "community", "auth", "connect(", "connection(", "client(", "begin(", "keys",
    "createuser", "pass is ", "psk", "wpa", "wifi", "unlock", "createhmac", "jwt.", "radius", "tacacs",
    "isakmp", "md5 ", "private key", "master key", "encryption key", "signing key",
)
# Programs that take "user/password", and what network devices say before a key.
ORACLES = (
    "sqlplus ", "sqlcl ", "impdp ", "expdp ", "imp ", "exp ", "sqlldr ", "rman ", "dgmgrl ",
)
DEVICES = (
    "radius", "tacacs", "isakmp", "ospf", "standby", "vrrp", "bgp ", "eigrp", "neighbor", "key-string",
    "pre-shared", "ppp ",
)
# What tells a password beside the words above.
SPOKEN = (
    *SURE, "credential", "creds", "login ", "log in ", "user/pass", "/password", "/pw", "auth=", "auth = ",
    "basic auth", "api key", "secret key", "access key", "license key", "auth key", "api-key", "secret-key",
    "access-key", "pin is", "pin:", "pin code", "otp", "u: ", "puk:", "combination", "r code", "e code", "m code",
    "g code", "code is", "the code ", "token is", "token:", "cookie:", "cookie is", "unlock", "decrypt",
    "authenticate", "sign in", "enter ", "type in", "cation code", "security code", "unlock code", "2fa code",
    "mfa code", "user =", "user=", "ftp(", "ftp_tls(", "pdo(", "imap4(", "client(",
)
# What the name of a function that takes a secret by its place holds.
CALLS = (
    "passw", "auth", "cred", "login", "log_in", "sign", "pdo(", "mysql", "connect", "wifi.begin", "hmac", "jwt.",
    "pgp_sym", "btoa(", "b64encode(", "create_user(", "create_superuser(", ".tochararray()", "fromhex", "aes.new",
    "fernet(", "checkpw", "createhash",
)
# What stands before a password in SQL, and in files of credentials.
SQL = ("password", "passwd", "secret", "_pass", "pwd", "sp_add")
SEEDS = (
    "mnemonic", "seed", "recovery", "wallet", "wifi", "wi-fi", "wlan", "ssid", "key content", "user default ",
    "setuser ", "backup code", "backup_code", "scratch code", "rescue code", "emergency code", "backup phrase",
    "12 words", "24 words", "{plain", "{clear", "chpasswd",
)
# What ends the head of a column of secrets, and what tells that a number is a card's.
HEADS = (
    "password", "passwords", "passwd", "pass", "pwd", "passphrase", "passcode", "secret", "token", "api key",
    "api_key", "apikey", "kennwort", "passwort", "contraseña", "senha", "hasło", "пароль", "パスワード", "密码",
    "비밀번호", "패스워드", "암호",
)
CARDS = ("card", "visa", "credit", "debit", "amex", "cvv", "cvc", "kreditkarte", "carte", "tarjeta", "카드")
# Every program of ``tools``, as one text, which costs a hook nothing to load.
PROGRAMS = (
    " 7z 7za 7zz ab ansible-vault apksigner argocd aria2c aws az bcp beeline buildah bundle bw bx cargo certutil"
    " cf choco circleci clickhouse clickhouse-client cmdkey composer conda consul cosign cqlsh crackmapexec crane"
    " curl docker doctl dotnet doveadm dovecot dsconf dvc ejabberdctl elasticsearch-users emqx_ctl erl etcdctl"
    " evil-winrm expect firebase fly flyctl freerdp ftp gcloud gem gh git glab gopass gpg gpg2 gradle helm heroku"
    " hey hf htdigest htpasswd http https huggingface-cli hydra ibmcloud iex influx infracost ipmitool isql"
    " jarsigner jf jfrog kadmin kadmin.local keyring keytool kinit knife ktutil ldapadd ldapdelete ldapmodify"
    " ldappasswd ldapsearch ldapwhoami lftp logcli mariadb mariadb-dump mc mongo mongodump mongoexport mongoimport"
    " mongorestore mongosh mosquitto_passwd mosquitto_pub mosquitto_sub mqttx mstsc mycli mysql mysqladmin"
    " mysqlcheck mysqldump mysqlimport nats ncftp ncftpput neo4j-admin nerdctl net netexec netlify ngrok nikto"
    " nmcli nodetool nomad nova npm nuget nxc oathtool oc octo openai openssl openstack oras osql p4 passwd"
    " pdftotext pgcli pihole pip pkcs12 plink pm2 pnpm podman poetry prosodyctl pscp psexec psexec.exe psftp psql"
    " pulumi puttygen qpdf rabbitmqadmin rabbitmqctl radtest railway rar rclone rdesktop redis-benchmark redis-cli"
    " regctl rpcclient s3cmd saslpasswd2 schtasks security sendemail sentry-cli signtool skopeo smbclient smbmap"
    " smbpasswd snmpget snmpset snmptrap snmpwalk snowsql snyk solr sqlcmd sqlline sqlmap ssh-keygen sshpass"
    " steghide stripe supabase svn swaks swift tdsql travis tsql twilio twine unrar unzip useradd usermod usql"
    " valkey-cli vault vercel vertica vncpasswd vsql wandb wfreerdp wget winrm wmic wpa_passphrase wpscan x11vnc"
    " xfreerdp xfreerdp3 xh xtrabackup yarn zip "
)
# fmt: on


def heads(text: str, low: str) -> list[int]:
    """Where a word for a secret ends a cell of a row that others may follow, in order."""
    found = []
    last = text.rfind("\n")
    for word in HEADS if last > 0 else ():
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            behind = text[end : end + 40].lstrip(" \r\"'`*_")[:1]
            if end <= last and behind and behind in "|\t;,\n":
                found.append(at)
            at = low.find(word, end)
    return sorted(found)


def programs(words: "list[str]") -> list[str]:
    """Those of ``words`` that are such programs, in order, each once."""
    return sorted(set(PROGRAMS.split()).intersection(words))
