#!/bin/sh
# Copies the database, the stored files and the secrets of compose.yaml into the new directory given as an argument: the
# database first, so that no link of the copy lacks its file. Meanwhile links to URLs open; uploads and downloads get 503
# until the files are copied. Needs a POSIX shell and Docker Compose.
set -eu

directory=${1:?usage: $0 DIRECTORY}
here=$(dirname "$0")
compose() { docker compose --file "$here/compose.yaml" "$@"; }

umask 077
mkdir -p "$(dirname "$directory")"
mkdir "$directory"
compose exec -T database pg_dump --username=postern --format=custom postern > "$directory/database.dump"
trap 'compose start storage' EXIT
compose stop storage
compose run --rm --no-deps -T --entrypoint tar storage -C /data -cf - . > "$directory/storage.tar"
cp -R "$here/secrets" "$directory/secrets"
