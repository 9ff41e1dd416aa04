#!/bin/sh
# Runs the studies again whose results depend on cycles, and rewrites results/, their plots and the
# tables of docs/studies. Needs the recorded inputs of ../shared. A frame is measured once for all
# studies.
set -eu
cd "$(dirname "$0")/.."
shared=$(cd ../shared && pwd)
kept=$(mktemp)
trap 'rm -f "$kept"' EXIT
study() {
  name=$1
  shift
  echo "-- $name"
  node packages/experiments/src/cli.ts study "$name" "$@" --no-context --csv "results/$name.csv" --doc "docs/studies/$name.md"
}
few="$shared/models/CesiumMan $shared/models/Duck $shared/models/Fox $shared/models/SimpleInstancing $shared/models/Suzanne"
memories="$few $shared/captures/bump/es2 $shared/captures/ideas/200x150 $shared/captures/terrain/200x150 $shared/captures/texture/es2"
all="$shared/models $shared/captures"
study static-vs-dynamic $all --measurements "$kept" --svg docs/studies/static-vs-dynamic.svg
study chiplet-scaling $all --svg docs/studies/chiplet-scaling.svg
study geometry-scaling --svg docs/studies/geometry-scaling.svg
study benchmark-set --svg docs/studies/benchmark-set.svg
study organizations --svg docs/studies/organizations.svg
study organization-scaling --svg docs/studies/organization-scaling.svg
study overlap $all --measurements "$kept" --svg docs/studies/overlap.svg
study bin-assignment $all --chiplets 8 --measurements "$kept"
study bin-cost $all --measurements "$kept"
study coupling-error $all --svg docs/studies/coupling-error.svg
study bin-count $few --svg docs/studies/bin-count.svg
study asynchronous-work $few "$shared/captures/terrain" --svg docs/studies/asynchronous-work.svg
study framebuffer $few --svg docs/studies/framebuffer.svg
study visibility-cost $few --measurements "$kept" --svg docs/studies/visibility-cost.svg
study early-bin $all --measurements "$kept" --svg docs/studies/early-bin.svg
study early-bin-exact $few --svg docs/studies/early-bin-exact.svg
study link-bandwidth $few --measurements "$kept" --svg docs/studies/link-bandwidth.svg
study placement $memories --svg docs/studies/placement.svg
study monolith $memories --svg docs/studies/monolith.svg
study locality $memories --svg docs/studies/locality.svg
study memory-bandwidth --svg docs/studies/memory-bandwidth.svg
study bounds
study performance-per-watt --svg docs/studies/performance-per-watt.svg
study die-count --svg docs/studies/die-count.svg
study warp-scheduling test/golden/models "$shared/models/Duck" "$shared/models/CesiumMan" \
  "$shared/models/Avocado" "$shared/models/BoxTextured" "$shared/models/MetalRoughSpheresNoTextures" \
  "$shared"/captures/*/200x150 --svg docs/studies/warp-scheduling.svg
