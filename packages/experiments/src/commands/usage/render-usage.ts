/** Help texts of the commands that render in this process. */

/** Lines for the options of gpu-options.ts. */
const GPU_USAGE = `      --chiplets N       number of chiplets, including the visibility chiplet (default 4)
      --policy NAME      static, dynamic or another policy of bin assignment (default dynamic)
      --bins N           number of coarse bins (default 32)
      --grid GRID        instead of --bins: 2x2 (columns × rows), 32 (bins), 8/chiplet or auto
      --split N          halve the costliest bin N times after the visibility phase (default 0)
      --visibility NAME  vertex shader of the visibility phase: minimal (default), full, or auto (the cheaper one)
      --no-culling       the visibility phase lists every primitive
      --occlusion        the visibility phase omits primitives that earlier ones hide
      --no-early-bin     render no bin during the visibility phase; minimal never does
      --visibility-chiplets N   number of chiplets that share each visibility phase, by ranges of the
                         primitives (default 1)
      --visibility-delivery NAME   phase sends visibility when its phase ends, stream in segments
                         while it runs (default phase)
      --visibility-only  chiplet 0 renders no bins
      --timing NAME      functional, or cycle: simulates every unit of the chiplets cycle by cycle (default cycle)
      --coupling NAME    with cycle timing: exact (default) runs each chiplet on from bin to bin;
                         none times each bin by itself, a fast estimate
      --placement LIST   except with --coupling none: memories that hold resources, one word or by class as in
                         textures=interleaved,streams=home; classes are textures, buffers and streams,
                         words are replicated (default), interleaved, first-touch and home;
                         targets and framebuffer are gathered (default), kept or interleaved
      --spec SPEC        specification of the chiplets: a preset or a JSON file (default: default)
      --set LIST         hardware parameters that differ from it: l2CacheBytes=1Mi,dramChannels=8 (see tessera specs)
      --timeline-cycles N   except with --coupling none: length of the intervals of the timeline in cycles,
                         which also has counters then; by default they are few and long
      --overlap NAME     when chiplet 0 starts the next pass or frame: none (after all work),
                         after-own-bins or visibility-first (default)
      --organization NAME   way in which chiplets share frames: binned (default), or a baseline: split-frame,
                         sort-last or alternate-frame
      --link-topology NAME         bus (default), ring or full; except with --coupling none also mesh, switch or packages
      --link-bytes-per-cycle N     bandwidth of one channel of the crosslink (default 256)
      --link-latency-cycles N      latency of one channel of the crosslink (default 32)
      --energy-memory NAME   memory chips of the report's energy: gddr6 (default), lpddr5, hbm2
      --energy-link-class NAME, --energy-package-link-class NAME
                         links between chiplets (default standard-package) and between packages (default board):
                         on-chip, standard-package, advanced-package, board, system
`;

/** Options of a model's image. */
const MODEL_USAGE = `      --camera N         index of a model's camera; by default, a camera that shows the whole model
      --orbit ANGLES     place of that camera: azimuth,elevation in degrees, and optionally the distance as a
                         factor, as in 30,15,0.8
      --target POINT     point that it looks at: x,y,z (default: the center of the model)
      --variant NAME     variant of the model's materials
      --quality NAME     full (default): the materials of Khronos, light of an environment and of the
                         model's lights, antialiasing; simple: one pass under a fixed light, without
                         the options below
      --environment E    studio (default), day, dusk, or a panorama (.hdr or .exr)
      --background B     environment, transparent, or a color as #rrggbb (default #ededf0)
      --exposure X       factor of all light (default 1)
      --tone NAME        tone mapping: neutral (default), aces, agx or linear
      --shadows on|off   shadows of the model's lights (default on)
      --ground NAME      none (default), or shadow, a soft shadow under the model
      --ambient NAME     what occludes the light of the environment: texture (default), or screen, which
                         is also what the image shows
      --samples N        samples per pixel: 1, 4 (default) or 8
`;

/** Options of the size of an image. */
const SIZE_USAGE = `      --width PX         width of the image of a model or scene (default 1280)
      --height PX        height of the image of a model or scene (default 720)
`;

/** Options of the GPU and of the frame that a command renders. */
const FRAME_USAGE = `${GPU_USAGE}${MODEL_USAGE}      --time SECONDS     point in time of the model's animation (default 0)
      --frame N          frame of a capture: its number, counted in buffer swaps from 0, end (what is
                         there when the capture ends) or last (that draws) (default 0)
      --call N           number of the call of a capture that ends the frame, instead of --frame
`;

/** Help text of `tessera render`. */
export const RENDER_USAGE = `tessera render FILE [options]

  Renders a glTF model (.glb or .gltf), a frame of an OpenGL program from an apitrace capture, or a scene of the
  benchmark set (scene:NAME; see tessera scenes) on a simulated multi-chiplet GPU in this process.

  -o, --output FILE      image, PNG (default: out.png)
      --report FILE      report, JSON
      --timeline FILE    timeline, Chrome trace (JSON) for Perfetto; requires --timing cycle
${SIZE_USAGE}      --json             print the report and the names of the written files as JSON
${FRAME_USAGE}
  npx tessera render model.glb -o image.png --chiplets 8 --policy static
  npx tessera render program.trace -o image.png --frame 2
  npx tessera render scene:city-cascades -o city.png
`;

/** Help text of `tessera sequence`. */
export const SEQUENCE_USAGE = `tessera sequence FILE... [options]

  Renders frames in order: a model over a range of time, consecutive frames of a capture, or a frame of each of
  several files. A scene of the benchmark set (scene:NAME) is the same frame each time. Chiplet 0 computes the visibility of the next frame while the others render this one.

  -o, --output FOLDER    images frame-0000.png, … and report.json (default: sequence)
      --timeline FILE    timeline of phases, bins and transfers, Chrome trace (JSON) for Perfetto
      --json             print the report as JSON
      --frames N         number of frames of the model or capture (default 8)
      --from SECONDS     time of a model's first frame (default 0)
      --to SECONDS       time of a model's last frame (default 1)
      --frame N          first frame of a capture (default 0)
      --in-flight N      number of frames in progress (default 6)
      --sample GOAL      render and time only some of the frames, each alone, until the figures of all frames are
                         known within an interval: ±1%@95% is 1 % of a figure with a confidence of 95 %; 1%@95%
                         is the same
      --figures LIST     with --sample: figures that the goal holds for, such as cycles,memory.bytesRead
                         (default cycles)
      --seed N           with --sample: seed of the random choice of frames (default 1)
      --images           with --sample: render all frames, for their images and for exact counts
      --turn DEGREES     turntable: the camera moves around the model by this angle in all frames together
${SIZE_USAGE}${GPU_USAGE}${MODEL_USAGE}
  npx tessera sequence model.glb --from 0 --to 2 --frames 24 --chiplets 8 -o out
  npx tessera sequence model.glb --turn 360 --frames 36
  npx tessera sequence model.glb --from 0 --to 8 --frames 500 --sample ±1%@95%
`;

/** Help text of `tessera profile`. */
export const PROFILE_USAGE = `tessera profile FILE [options]

  Renders a model, a frame of a capture or a scene (scene:NAME) in this process and lists the costliest source lines of its shaders: the
  instructions that warps issued for a line, their share of the frame, the cycles for which they occupied issue ports,
  the lanes per instruction and texture lookups. The sums over all lines are shaderCore.warpInstructions and shaderCore.cyclesBusy.

      --program N        only this program of the frame
      --draw PASS/DRAW   only this draw
      --stage NAME       only vertex, positionOnly (the vertex shader of the visibility phase) or fragment
      --lines N          number of lines (default 20)
      --waits            simulate all chiplets, and list what warps wait for: cycles by kind, and by line those for
                         texture lookups (texels) and for results of earlier instructions (operands)
      --isa              also list the instructions of the programs with their lines and costs
      --json             print programs, lines and instructions as JSON
${SIZE_USAGE}${FRAME_USAGE}
  npx tessera profile model.glb
  npx tessera profile model.glb --waits --lines 10
  npx tessera profile program.trace --draw 0/3 --stage fragment --isa
`;

/** Help text of `tessera explain`. */
export const EXPLAIN_USAGE = `tessera explain FILE [options]

  Renders a model, a frame of a capture or a scene (scene:NAME) in this process and explains its time: the
  critical path, the units or the link that bound it, what it would gain if these were twice as fast, and what waits
  for what. Then it renders the frame on such faster hardware, to check the prediction. FILE may also be the report
  of a frame with cycle timing (.json), which is explained without rendering.

      --no-check         do not render the frame on faster hardware
      --json             print the causes and the checks as JSON
${SIZE_USAGE}${FRAME_USAGE}
  npx tessera explain model.glb
  npx tessera explain scene:market-deferred --chiplets 8 --link-bytes-per-cycle 64
  npx tessera explain report.json
`;

/** Help text of `tessera compare`. */
export const COMPARE_USAGE = `tessera compare FILE REFERENCE [options]

  Compares an image with a reference image of the same size. FILE is an image (PNG, JPEG), or a capture,
  model or scene (scene:NAME), which is rendered first. Prints the number of pixels that differ. Writes the positive differences
  of FILE from REFERENCE to one image and the negative ones to another. If only outlines differ, FILE is
  offset by less than a pixel; a difference inside a shape is an error. Exits with status 1 if a limit is
  exceeded.

  -o, --output PREFIX    names of the images: PREFIX-positive.png and PREFIX-negative.png (default: difference)
      --json             print the figures as JSON
      --frame N          frame of a capture: its number, end or last (default 0)
      --call N           number of the call of a capture that ends the frame
      --chiplets N       chiplets that render a capture or model (default 4)
${MODEL_USAGE}      --max-differing N  upper bound on the pixels that differ: N pixels, or N% of the image
      --max-over1 N      upper bound on those that differ by more than 1 of 255 in a component; likewise
                         --max-over2, --max-over8, --max-over32
      --max-inside N     upper bound on those that differ by more than 1 and that no offset of up to a
                         pixel explains
      --max-largest N    upper bound on the difference of a component, 0 to 255
      --min-psnr DB      lower bound on the peak signal-to-noise ratio, in decibels

  npx tessera compare frame.trace reference.png -o difference
  npx tessera compare frame.trace reference.png --max-over1 0.5% --max-over8 0.05%
  npx tessera compare ours.png theirs.png --json
`;
