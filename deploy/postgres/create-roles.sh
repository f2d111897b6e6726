#!/bin/sh
# Creates the two roles of an installation and its database; see docs/notes/database-roles.md. Run once by a superuser, with
# PGHOST and PGPORT or a local socket: DATABASE_OWNER_PASSWORD=… DATABASE_SERVICE_PASSWORD=… deploy/postgres/create-roles.sh
# The container of PostgreSQL runs it at its first start.
set -eu
: "${DATABASE_OWNER_PASSWORD:?}" "${DATABASE_SERVICE_PASSWORD:?}"
user=${POSTGRES_USER:-${PGUSER:-postgres}}

# psql quotes the values; no password is part of the text of a command.
psql --set=ON_ERROR_STOP=1 --quiet --no-psqlrc --username="$user" --dbname=postgres \
  --set=owner_password="$DATABASE_OWNER_PASSWORD" --set=service_password="$DATABASE_SERVICE_PASSWORD" <<'SQL'
create role swath_owner login createrole password :'owner_password';
create role swath_service login noinherit password :'service_password';
create database swath owner swath_owner encoding 'UTF8' template template0;
\connect swath
create extension postgis;
SQL
