#!/bin/sh
# Writes random secrets for compose.yaml into deploy/secrets, or into the directory given as an argument. Needs a POSIX
# shell, od, tr and openssl. The certificate is for tries on this machine: replace it by your own, followed by its key.
set -eu

directory=${1:-$(dirname "$0")/secrets}
if [ -e "$directory" ]; then
  echo "$directory exists already: nothing was changed" >&2
  exit 1
fi

random_hex() { od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

# The files are mounted with their modes, and users that exist only in the containers read them. So all users can read
# the files, but only the owner can enter the directory.
umask 022
mkdir -m 700 "$directory"

password=$(random_hex 24)
access_key=$(random_hex 10)
secret_key=$(random_hex 24)
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout "$directory/key" -out "$directory/certificate" 2> /dev/null
cat "$directory/key" >> "$directory/certificate"
rm "$directory/key"
random_hex 32 > "$directory/app-secret"
printf '%s\n' "$password" > "$directory/database-password"
printf 'postgres://postern:%s@database:5432/postern?sslmode=disable\n' "$password" > "$directory/database-url"
printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' "$access_key" "$secret_key" \
  > "$directory/storage-credentials"
printf '{"identities":[{"name":"postern","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin"]}]}\n' \
  "$access_key" "$secret_key" > "$directory/storage-identities"
