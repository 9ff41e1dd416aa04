#!/bin/sh
# Captures the free programs of docs/studies/sampling.md without a screen, and copies the model:
#
#   scripts/sampling/capture-programs.sh FOLDER MODELS
#
# MODELS is a folder of the Khronos sample models. Needs Debian's apitrace, xvfb, xauth,
# libgl1-mesa-dri, neverball and xscreensaver-gl-extra. Each program runs for CAPTURE_SECONDS, 120 by
# default, in which neverball must draw 800 frames and crackberg 600. Programs read the clock, so two
# captures differ in details.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cp "$2/CesiumMan/glTF-Binary/CesiumMan.glb" "$folder/CesiumMan.glb"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy HOME="$home"
mkdir "$home/.neverball"
printf 'fullscreen 0\nwidth 160\nheight 96\n' >"$home/.neverball/neverballrc"

# Runs a program for some seconds and keeps its calls.
capture() {
  name=$1 api=$2 seconds=$3
  shift 3
  rm -f "$folder/$name.trace"
  xvfb-run -a -s '-screen 0 640x480x24' \
    timeout "$seconds" apitrace trace --api "$api" --output "$folder/$name.trace" "$@" ||
    [ $? -eq 124 ]
}
capture neverball gl "${CAPTURE_SECONDS:-120}" /usr/games/neverball
capture crackberg egl "${CAPTURE_SECONDS:-120}" /usr/libexec/xscreensaver/crackberg -geometry 160x96
