#!/bin/sh
# Makes what compose.yaml reads from files: a password for each account and the URLs that hold them, plus .env,
# which says whose files they are (the containers run as that account). What is there already is kept, so a
# second run changes nothing; to change a password, delete its file, run this again, then see deploy/README.md.
#
#   sh deploy/secrets.sh [FOLDER [ENV_FILE]]
set -eu
umask 077

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1:-$here/secrets}
env_file=${2:-$here/../.env}
uid=$(id -u)
gid=$(id -g)
if [ "$uid" -eq 0 ]; then # the containers never run as root
    uid=10001
    gid=10001
fi

# write NAME: standard input becomes the secret NAME, at once or not at all.
write() {
    cat >"$folder/.$1.new"
    mv -f -- "$folder/.$1.new" "$folder/$1"
}

# password NAME: 192 random bits in hexadecimal, which no URL needs to escape.
password() {
    [ -s "$folder/$1" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' | write "$1"
}

mkdir -p -- "$folder"
chmod 0700 "$folder"
for name in postgres_password owner_password app_password queue_password; do
    password "$name"
done
printf 'postgresql://limbeck:%s@postgres:5432/limbeck' "$(cat "$folder/owner_password")" | write database_owner_url
printf 'postgresql://limbeck_app:%s@postgres:5432/limbeck' "$(cat "$folder/app_password")" | write database_url
printf 'redis://:%s@queue:6379/0' "$(cat "$folder/queue_password")" | write redis_url
if [ "$(id -u)" -eq 0 ]; then
    chown -R "$uid:$gid" "$folder"
fi

touch "$env_file"
grep -q '^LIMBECK_UID=' "$env_file" || printf 'LIMBECK_UID=%s\nLIMBECK_GID=%s\n' "$uid" "$gid" >>"$env_file"
echo "the secrets are in $folder; account $uid:$gid reads them"
