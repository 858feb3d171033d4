#!/bin/sh
# Draws the secrets of compose.yaml into deploy/secrets, or into the directory that is named. Needs no more than a
# POSIX shell, od and tr.
set -eu

directory=${1:-$(dirname "$0")/secrets}
if [ -e "$directory" ]; then
  echo "$directory is there already: nothing was changed" >&2
  exit 1
fi

draw() { od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }

# The files are mounted as they are, and read by users whom only the containers know. So they are for everybody to
# read, in a directory that nobody but its owner gets into.
umask 022
mkdir -m 700 "$directory"

password=$(draw 24)
access_key=$(draw 10)
secret_key=$(draw 24)
printf '%s\n' "$password" > "$directory/database-password"
printf 'postgres://postern:%s@database:5432/postern?sslmode=disable\n' "$password" > "$directory/database-url"
printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' "$access_key" "$secret_key" \
  > "$directory/storage-credentials"
printf '{"identities":[{"name":"postern","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin"]}]}\n' \
  "$access_key" "$secret_key" > "$directory/storage-identities"
