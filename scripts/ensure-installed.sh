#!/bin/sh
# Installs the packages of package-lock.json if node_modules is not up to date. With `run`, installs
# only those that the service and the command line need, unless the others are there already.
set -eu
cd "$(dirname "$0")/.."
dev=--include=dev
if [ "${1:-}" = run ] && [ ! -e node_modules/vitest ]; then dev=--omit=dev; fi
if [ ! -e node_modules/.bin/node ] || [ package-lock.json -nt node_modules/.package-lock.json ] ||
  { [ $dev = --include=dev ] && [ ! -e node_modules/vitest ]; }; then
  echo 'installing packages (once) ...'
  npm ci $dev --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
