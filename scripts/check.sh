#!/bin/sh
# Checks format, lint, types and dead code. `npm test` runs the tests; CI runs both.
set -eu
cd "$(dirname "$0")/.."
sh scripts/ensure-installed.sh
PATH="$PWD/node_modules/.bin:$PATH"
echo '-- biome (format, lint)'
biome ci --error-on-warnings --max-diagnostics=50 .
echo '-- tsc (types)'
npm run --silent types
echo '-- knip (dead files, dependencies, exports)'
knip --no-progress
if [ "${CI:-}" = true ]; then
  echo '-- clean tree'
  test -z "$(git status --porcelain)" || { git status --short; exit 1; }
fi
echo 'check: all good'
