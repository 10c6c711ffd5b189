"""Which arguments of which programs are secrets; a line a program, in one text, which costs a hook nothing to load.

``FLAGS``: a program and its flags whose value is one. A flag alone takes the next argument (or ``=value``); ``+`` also
takes what is attached (``-pV``), ``:`` takes what follows the first colon (``user:V``), ``%`` what follows the first
percent sign, ``^`` what follows ``pass:``, ``/`` marks a Windows flag ``/p:V``.
``POSITIONS``: a program and, between bars, words that must come first and the index of the argument after them;
negative from the end.
"""

FLAGS = """
7z -p+
7za -p+
7zz -p+
ab -A: -P:
apksigner --ks-pass^ --key-pass^
argocd --password --auth-token
aria2c --http-passwd --rpc-secret
aws --token-code --master-user-password
az -p+ --password --account-key --sas-token --client-secret
bcp -P+
beeline -p+
buildah -p+ --creds:
bx -p
certutil -p+ -w
cf -p+
choco -k --api-key -p
clickhouse --password
clickhouse-client --password
cmdkey /pass
consul -token
cosign --registry-password
cqlsh -p+ --password
crackmapexec -p
crane -p+
curl -u: --user: -U: --proxy-user: --pass --key-passphrase --proxy-pass --oauth2-bearer --tlspassword
docker -p+ --password
doctl -t --access-token
dotnet -k --api-key -p
doveadm -p
dovecot -p
dsconf -w
elasticsearch-users -p
erl -setcookie
etcdctl --user: --password
evil-winrm -p
fly -t --access-token
flyctl -t --access-token
freerdp /p
gem --otp -k
gh -b --body
glab -t --token -v
gpg --passphrase
gpg2 --passphrase
gradle -PossrhPassword
helm -p+ --password
hey -a:
http -a: --auth:
https -a: --auth:
hydra -p
ibmcloud -p --apikey
iex --cookie
influx -password --password -t --token
ipmitool -P+
isql -P+
jarsigner -storepass -keypass
jf --password --access-token --apikey
jfrog --password --access-token --apikey
keytool -storepass -keypass -srcstorepass -deststorepass -new -srckeypass -destkeypass
kinit --password
knife -P
ktutil -w
ldapadd -w+
ldapdelete -w+
ldapmodify -w+
ldappasswd -w+ -s+ -a+
ldapsearch -w+
ldapwhoami -w+
lftp -u,
logcli --password --bearer-token
mariadb -p+ --password
mariadb-dump -p+
mongo -p+
mongodump -p+
mongoexport -p+
mongoimport -p+
mongorestore -p+
mongosh -p+
mosquitto_pub -P+ --pw
mosquitto_sub -P+ --pw
mqttx -P
mstsc /p
mycli -p+
mysql -p+ --password
mysqladmin -p+ --password
mysqlcheck -p+
mysqldump -p+ --password
mysqlimport -p+
nats --password --token
ncftp -p+
ncftpput -p+
nerdctl -p+
net -U%
netexec -p
netlify --auth
nikto -id:
nodetool -pw --password
nomad -token
nova --os-password
npm --otp
nuget -Password -ApiKey
nxc -p
oathtool -b
oc -p+ --token
octo --apiKey
openssl -pass^ -passin^ -passout^ -k -password^ -P^ -hmac -macopt
openstack --os-password
oras -p+ --password
osql -P+
p4 -P
pdftotext -upw -opw
pgcli -w+
pkcs12 -pass^
plink -pw
podman -p+ --password --creds:
pscp -pw
psexec -p
psexec.exe -p
psftp -pw
psql --password
puttygen --old-passphrase --new-passphrase
qpdf --password
rabbitmqadmin -p --password
rar -p+ -hp+
rdesktop -p
redis-benchmark -a+
redis-cli -a+ --pass
regctl -p+
rpcclient -U%
s3cmd --secret_key --access_key
schtasks /rp /p
security -w -p -P
sendemail -xp
signtool /p -p
skopeo --creds: --src-creds: --dest-creds: --password -p+
smbclient -U% --password -P
smbmap -p
snmpget -A+ -X+
snmpset -A+ -X+
snmptrap -A+ -X+
snmpwalk -A+ -X+
snowsql -p
solr -u: -credentials:
sqlcmd -P+
sqlline -p
sqlmap --auth-cred:
ssh-keygen -N+ -P+
sshpass -p+
steghide -p
svn --password
swaks -ap --auth-password
swift -K+
tdsql -p
tsql -P+
twine -p --password -p+
unrar -p+
unzip -P+
usql -p
valkey-cli -a+ --pass
vercel -t --token
vertica -w+
vsql -w+
wfreerdp /p
wget --password --http-password --ftp-password --proxy-password
winrm -p
wmic /password
wpscan --api-token
x11vnc -passwd
xfreerdp /p
xfreerdp3 /p
xh -a: --auth:
xtrabackup -p+
zip -P+ --password
"""

POSITIONS = """
ansible-vault encrypt_string 0
aws configure set aws_secret_access_key 0 | configure set aws_session_token 0 | configure set aws_access_key_id 0
bundle config set -1 | config -1
bw unlock 0
cargo login 0
circleci setup 0
composer config http-basic -1 | config -1
conda config set -1
consul acl set-agent-token 1
doctl auth init 0
dotnet user-secrets set 1 | nuget push 1
dvc remote modify -1
ejabberdctl register 2 | change_password 2
emqx_ctl users add 1
expect send 0
firebase login:ci 0
flyctl auth token 0
ftp user 1
gcloud config set auth/access_token 0
git config -1
gopass insert 1
heroku auth:token 0
hf auth login 0
htdigest -1
htpasswd -1
huggingface-cli login 0
influx auth 1
infracost configure set api_key 0
kadmin cpw -pw 0 | addprinc -pw 0
kadmin.local cpw -pw 0 | addprinc -pw 0
keyring set 2
lftp user 1
mc alias set -1 | config host add -1 | admin user add -1
mosquitto_passwd -b -1
mysqladmin password 0
neo4j-admin set-initial-password 0 | set-default-password 0
net use -1 | user 1 | rpc password 1
ngrok authtoken 0 | config add-authtoken 0 | config add-api-key 0
nmcli wifi connect -1 | password 0
npm config set 1 | set 1
nuget push 1 | setapikey 0
openai api 0
openssl passwd 0
passwd 1
pihole -a -p 0
pip config set 1
pm2 link -1
pnpm config set 1
poetry config http-basic 2 | config pypi-token 1 | config -1
prosodyctl register 2
pulumi config set 1
qpdf --encrypt 0 | --encrypt 1
rabbitmqctl add_user 1 | change_password 1 | authenticate_user 1
radtest 1
railway login 0
rclone config create -1 | config password -1 | obscure 0
redis-cli auth -1 | requirepass 0 | config set requirepass 0
saslpasswd2 -1
security unlock-keychain 0
sentry-cli login 0
smbpasswd -1
snyk auth 0 | config set 0
stripe login 0
supabase login 0
travis encrypt 0
twilio login -1
useradd -p 0
usermod -p 0
vault login 0 | unwrap 0 | token revoke 0 | token renew 0 | operator unseal 0
vncpasswd 0
wandb login 0
wpa_passphrase 1
yarn config set 1
"""


def flags(program: str) -> list[str]:
    """The flags of ``program`` whose value is a secret, with the signs that tell how it is joined."""
    return _line(FLAGS, program).split()


def positions(program: str) -> list[tuple[list[str], int]]:
    """Where ``program`` takes secrets: words that come first, and the index of the argument after them."""
    line = _line(POSITIONS, program)
    places = [part.split() for part in line.split("|")] if line else []
    return [(words, int(index)) for *words, index in places]


def programs() -> set[str]:
    """Every program that either table knows."""
    return {line.partition(" ")[0] for table in (FLAGS, POSITIONS) for line in table.split("\n") if line}


def _line(table: str, program: str) -> str:
    at = table.find(f"\n{program} ")
    return "" if at < 0 else table[at + len(program) + 2 : table.find("\n", at + 1)]
