/** Help texts of commands that show shaders, captures, parameters, counters and model checks. */

/** Help text of `tessera shader`. */
export const SHADER_USAGE = `tessera shader FILE [options]

  Compiles a GLSL shader and prints its warnings, its statistics and, if requested, its intermediate forms.
  Exits with status 2 if the shader has errors.

      --stage NAME       vertex or fragment (default: by the file's extension .vert, .vs or .frag, .fs)
      --version N        version of a source without #version: 100, or 110 for desktop OpenGL (default 100)
      --webgl            also apply the rules of WebGL
      --ir               print the intermediate representation after all passes
      --isa              print the instructions
      --stats            print the statistics (default if no other form is requested)
      --json             print names, diagnostics, statistics and the requested forms as JSON

  npx tessera shader water.frag --isa
  npx tessera shader water.vert --version 110 --json
`;

/** Help text of `tessera capture`. */
export const CAPTURE_USAGE = `tessera capture info FILE [options]

  Describes an apitrace capture: API, size, frames with their draws, programs, and the functions that the
  program called. Frames that draw after a rejected function fail.

      --all              list all frames and functions, not only the first 20
      --json             print everything as JSON

  npx tessera capture info frame.trace
`;

/** Help text of `tessera scenes`. */
export const SCENES_USAGE = `tessera scenes [options]

  Lists the scenes of the benchmark set with their passes, draws and triangles. Commands take scene:NAME in place of a
  model or capture.

      --json             print the list as JSON, with the SHA-256 of each frame at 1280×720

  npx tessera scenes
`;

/** Help text of `tessera specs`. */
export const SPECS_USAGE = `tessera specs [PARAMETER ...] [options]

  Lists the hardware parameters of a chiplet with their range and their value in every preset; with names or parts of
  names only those. A render command changes them with --set NAME=VALUE,... or --spec FILE.

      --spec SPEC        a preset or a file, shown in place of all presets
      --set LIST         parameters that differ from it: name=value, separated by commas
      --json             print the parameters of the specification as JSON

  npx tessera specs l2 dram
  npx tessera specs --spec loongson --set smCount=8,l2CacheBytes=256Ki --json
`;

/** Help text of `tessera validate`. */
export const VALIDATE_USAGE = `tessera validate [options]

  Compares figures of the cycle model with arithmetic and with published measurements. Each row has a tolerance, and a
  row outside of it has a reason. The exit status is 1 if a row without a reason is outside.

      --captures FOLDER  also compare the pipeline statistics of the captures in this folder
      --json             print the rows as JSON
      --doc FILE         document whose tables are rewritten

  npx tessera validate --doc docs/validation.md
`;

/** Help text of `tessera counters`. */
export const COUNTERS_USAGE = `tessera counters [TEXT] [options]

  Lists the counters of a chiplet with unit and meaning: all, or those with TEXT in their name or meaning. With a
  report, lists the counts of each chiplet.

      --report FILE      report of a frame, JSON, from render or submit
      --json             print the list as JSON

  npx tessera counters shading
  npx tessera counters raster --report report.json
`;
