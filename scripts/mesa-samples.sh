#!/bin/sh
# Counts the samples that pass the depth test in captures, over all draws, with Mesa's two software
# renderers: CAPTURE RENDERER SAMPLES. The counts are in
# packages/experiments/src/studies/validation/mesa-samples.ts. Needs Debian's apitrace, xvfb and
# xauth.
#
#     scripts/mesa-samples.sh FOLDER     # a folder of captures, such as ../shared/captures
set -eu
[ $# -eq 1 ] || { sed -n 's/^# *//p' "$0" >&2; exit 2; }
if [ -z "${MESA_SAMPLES_DISPLAY:-}" ]; then
  MESA_SAMPLES_DISPLAY=1 exec xvfb-run -a -s '-screen 0 1280x1024x24' sh "$0" "$1"
fi
cd "$1"
find . -name trace.trace | sort | while read -r trace; do
  for renderer in llvmpipe softpipe; do
    # Columns of `call` lines: 11 is the number of samples, or -1 if the call is no draw.
    samples=$(LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=$renderer glretrace --ppd "$trace" 2>/dev/null |
      awk '$1 == "call" && $11 >= 0 { sum += $11 } END { print sum }')
    name=${trace#./}
    # glretrace cannot replay captures of OpenGL ES.
    [ -z "$samples" ] || echo "${name%/trace.trace} $renderer $samples"
  done
done
