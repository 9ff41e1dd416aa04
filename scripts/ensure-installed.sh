#!/bin/sh
# Installs the packages of package-lock.json if node_modules is not up to date.
set -eu
cd "$(dirname "$0")/.."
if [ ! -e node_modules/.bin/node ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo 'installing packages (once) ...'
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
