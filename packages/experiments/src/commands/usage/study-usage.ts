/** Help texts of the studies. */

const SWEEP_USAGE = `tessera study sweep PATH... [options]
tessera study --service URL PATH... [options]

  Renders models and captures with every combination of values, and prints the geometric means over all scenes. A path
  is a model (.glb, .gltf), a capture (.trace), a folder with such files, scene:NAME for a scene of the benchmark set,
  or scene:benchmark-set for all of them. Chiplets, policies, links, placements and
  most hardware parameters are simulated from one rendering of a scene. Lists are separated by commas.

      --service URL          service that runs the study; without it, this process does
      --token-file FILE      file with the token of a service that requires one
      --chiplets LIST        numbers of chiplets (default 1,2,4,8)
      --policy LIST          policies of bin assignment (default dynamic)
      --bins LIST            numbers of coarse bins (default 32)
      --grid LIST            in place of --bins: 8x4 (columns × rows) or a number of bins
      --split LIST           numbers of times the costliest bin is halved (default 0)
      --visibility LIST      minimal (default), full
      --occlusion LIST       off (default), on
      --organization LIST    ways in which chiplets share frames: binned (default), split-frame, alternate-frame
      --visibility-chiplets LIST   numbers of chiplets that share each visibility phase, at most the fewest of
                             --chiplets (default 1)
      --visibility-delivery LIST   phase (default), stream
      --coupling NAME        exact (default) or none, a fast estimate
      --spec LIST            presets and JSON files (default: default); with --service also stored specifications
      --set LIST             hardware parameters that differ from all of them
      --sweep NAME=LIST      values of a hardware parameter, such as l2CacheBytes=128Ki,512Ki; once per parameter
      --placement LIST       as for tessera render; once per placement
      --overlap LIST         none, after-own-bins, visibility-first (default)
      --link-topology LIST, --link-bytes-per-cycle LIST, --link-latency-cycles LIST
                             links (default bus, 256 and 32; with --service those of the service)
      --size LIST            sizes of models (default 1280x720)
      --frame LIST           frames of captures (default 0)
      --counters LIST        counters that get a column, summed over the chiplets
      --energy               columns of energy, power and energy × delay (docs/energy.md); so do the next three
      --energy-memory NAME   memory chips: gddr6 (default), lpddr5, hbm2
      --energy-link-class NAME, --energy-package-link-class NAME
                             links between chiplets (default standard-package) and between packages (default board):
                             on-chip, standard-package, advanced-package, board, system
      --csv FILE             a row for each scene and combination; docs/studies/columns.md lists the columns
      --parquet FILE         the same rows as Parquet, with types
      --means FILE           the printed table as CSV
      --bundle FOLDER        results, means, specifications, versions, scenes and command, to cite and repeat the study
      --json                 print the rows as JSON
      --title TEXT           title of the study at the service

  npx tessera study sweep models/ --chiplets 1,4,16 --link-bytes-per-cycle 16,64,256 --csv link.csv
  npx tessera study --service http://127.0.0.1:8080 models/ captures/ --policy static,dynamic --csv policies.csv
`;

const BOUNDING_BOX_USAGE = `tessera study bounding-box PATH... [options]

  Counts the sub-tiles that pass each level of the rasterizer, with and without the bounding-box test.
  A path is a model (.glb, .gltf), a capture (.trace), a folder with such files, or scene:NAME.

      --csv FILE     the counts, for tiles tested at their corners and at sample points
      --no-context   leave out of the CSV what all rows share: specification, version, commit and so on
      --json         print the counts as JSON
      --svg FILE     plot of the gains
      --doc FILE     document whose tables are rewritten
      --frame N      index of a capture's frame (default 0)
      --centre       show the gains of tests at sample points instead of corners
      --from-top     start primitives at level 1 instead of the level of their box

  npx tessera study bounding-box captures/ --csv gains.csv --svg gains.svg
`;

const BIN_STUDY_USAGE = `tessera study bin-cost PATH... [options]
tessera study bin-assignment PATH... [options]

  Renders each scene once on one chiplet with cycle timing. bin-cost fits the cost model to the cycles of the bins, and
  judges it on scenes that were held out of the fit, which needs scenes of at least two families (names up to the first
  blank or hyphen). bin-assignment simulates every policy with the cycles, without rendering again.

      --bins N       number of coarse bins (default 64)
      --chiplets N   number of chiplets for bin-assignment (default 8)
      --csv FILE     figures of each scene
      --no-context   leave out of the CSV what all rows share: specification, version, commit and so on
      --doc FILE     document whose table is rewritten with the summary
      --json         print the figures as JSON; for bin-cost, the measurement of each bin
      --measurements FILE   as for chiplet-scaling
      --link-topology NAME, --link-bytes-per-cycle N, --link-latency-cycles N

  npx tessera study bin-cost models/
  npx tessera study bin-assignment models/ captures/ --chiplets 8
`;

const VISIBILITY_STREAM_USAGE = `tessera study visibility-stream PATH... [options]

  Lists the bytes of the visibility streams of each model and capture, the bytes of the same entries as 32-bit ids,
  and the tightness.

      --bins N       number of coarse bins (default 32)
      --json         print the rows as JSON

  npx tessera study visibility-stream models/
`;

const WARP_SCHEDULING_USAGE = `tessera study warp-scheduling [PATH...] [options]

  Compares the slot policies of the task scheduler at five ratios of vertex to fragment tasks, dependent and
  independent. Then compares them on frames: one of each ratio, generated scenes, and the given models (.glb, .gltf),
  captures (.trace) and folders.

      --only         leave out the generated scenes
      --csv FILE     all figures
      --no-context   leave out of the CSV what all rows share: specification, version, commit and so on
      --json         print all figures as JSON
      --svg FILE     plot of the finished groups
      --doc FILE     document whose tables are rewritten

  npx tessera study warp-scheduling models/ --csv warps.csv --svg warps.svg
`;

const MEMORY_BANDWIDTH_USAGE = `tessera study memory-bandwidth [options]

  Measures the bandwidth of a chiplet's memory system by burst length and number of clients, and the
  chiplet's fill rate, with generated traffic and with frames that are drawn.

      --spec SPEC    preset or JSON file (default hmgpu)
      --set LIST     hardware parameters that differ from it: memoryLatencyCycles=30,dramChannels=2
      --csv FILE     the table
      --no-context   leave out of the CSV what all rows share: specification, version, commit and so on
      --json         print the table as JSON
      --svg FILE     the plot
      --doc FILE     document whose table is rewritten

  npx tessera study memory-bandwidth --csv bandwidth.csv
`;

const DIE_COUNT_USAGE = `tessera study die-count [options]

  Estimates the cost of a small and a large GPU on 2 to 16 dies against one die with the same units, for two nodes and
  three packages, with the ranges and the dominating assumption. Then finds the area of one die from which several dies
  cost less. tessera cost does the same for one GPU with your own figures.

      --csv FILE     the table
      --no-context   leave out of the CSV what all rows share: version and commit
      --json         print the table as JSON
      --svg FILE     the plot
      --doc FILE     document whose tables are rewritten

  npx tessera study die-count --csv dies.csv
`;

const BOUNDS_USAGE = `tessera study bounds [options]

  Explains frames whose bound is known, by the output merger, shader cores, texture units, vertices, memory and the
  link, and the benchmark set. Then renders each frame on hardware whose bound is twice as fast, to check the
  prediction. tessera explain does the same for one frame.

      --csv FILE     the table
      --no-context   leave out of the CSV what all rows share: specification, version, commit
      --json         print the table as JSON
      --doc FILE     document whose tables are rewritten

  npx tessera study bounds --csv bounds.csv
`;

/** Meanings of the studies over chiplets by their names. */
export const CHIPLET_STUDY_MEANINGS = {
  'chiplet-scaling': 'speed-up of a single frame on 1 to 16 chiplets, by policy',
  'geometry-scaling':
    'speed-up of a terrain of 10 thousand to 10 million triangles, with visibility on one chiplet or all; ignores --bins',
  'benchmark-set':
    'speed-up of each frame of the benchmark set, with visibility on one chiplet or all; ignores --bins',
  organizations:
    'speed-up and frame rate of the benchmark set with other ways to share frames; ignores --bins',
  'organization-scaling':
    'speed-up of a terrain of 10 thousand to 10 million triangles with each way to share frames; ignores --bins',
  'static-vs-dynamic':
    'bin phase ÷ max(total ÷ N, longest bin), idle time and cost of assignment, by policy',
  'visibility-cost': 'visibility phase by its vertex shader, with and without an early bin',
  'early-bin': 'frame with and without the bin that chiplet 0 renders within the visibility phase',
  'early-bin-exact': 'the same for the benchmark set on chiplets that run on from bin to bin',
  'bin-count': 'frame by the number of coarse bins; ignores --bins',
  overlap: 'frame rate of a sequence ÷ min(N, 1 ÷ s), by overlap and frames in flight',
  'asynchronous-work': 'work of other passes and frames while chiplets wait, by overlap mode',
  framebuffer:
    'frame by the place of the framebuffer: chiplet 0, pages over all, or where it was drawn',
  'coupling-error': 'error of isolated bins against chiplets that run on; ignores --bins',
  'link-bandwidth': 'speed-up of 8 chiplets by topology and bytes per cycle of the crosslink',
  placement: 'cycles and traffic of placements by number of chiplets and bandwidth of the link',
  monolith: 'chiplets against a monolithic GPU of as many units, caches and memory channels',
  'performance-per-watt':
    'performance per watt and per dollar of several dies against one die with as many units',
  locality: 'bytes between four chiplets, by what a chiplet keeps of what it uses',
} as const;

/** Names of the studies over chiplets. */
export const CHIPLET_STUDY_NAMES: readonly string[] = Object.keys(CHIPLET_STUDY_MEANINGS);

const CHIPLET_STUDY_USAGE = `${CHIPLET_STUDY_NAMES.map((name) => `tessera study ${name} [PATH...] [options]\n`).join('')}
${Object.entries(CHIPLET_STUDY_MEANINGS)
  .map(([name, meaning]) => `  ${name.padEnd(20)} ${meaning}\n`)
  .join('')}
  Each scene is rendered once per setting with cycle timing. The rest is simulated from these measurements. The
  scenes are the generated ones, and the models and captures at the paths; scene:NAME is a scene of the benchmark set,
  and scene:benchmark-set all of them. Without a path, the models of the repository's tests are used.

      --bins N              number of coarse bins (default 64)
      --width N, --height N size of models and generated scenes (default 1280 by 720)
      --only                leave out the generated scenes
      --csv FILE            every figure
      --no-context          leave out of the CSV what all rows share: specification, size, link, version, commit
      --svg FILE            the plot
      --doc FILE            document whose table is rewritten
      --measurements FILE   file that keeps the measurements for other studies, by the content of the frame, the options
                            and the sources of the simulator

  npx tessera study chiplet-scaling models/ captures/ --csv scaling.csv --svg scaling.svg
  npx tessera study chiplet-scaling --only scene:benchmark-set
`;

const USAGE_BY_STUDY: Readonly<Record<string, string>> = {
  sweep: SWEEP_USAGE,
  'bounding-box': BOUNDING_BOX_USAGE,
  'bin-cost': BIN_STUDY_USAGE,
  'bin-assignment': BIN_STUDY_USAGE,
  'visibility-stream': VISIBILITY_STREAM_USAGE,
  'warp-scheduling': WARP_SCHEDULING_USAGE,
  'memory-bandwidth': MEMORY_BANDWIDTH_USAGE,
  'die-count': DIE_COUNT_USAGE,
  bounds: BOUNDS_USAGE,
  ...Object.fromEntries(CHIPLET_STUDY_NAMES.map((name) => [name, CHIPLET_STUDY_USAGE])),
};

/** Help text of `tessera study`: the texts of all studies. */
export const STUDY_USAGE = [...new Set(Object.values(USAGE_BY_STUDY))].join('\n');

/** Returns the help text of the study that the arguments name, or that of all studies. */
export function studyUsage([name]: readonly string[]): string {
  const isStudy = name !== undefined && Object.hasOwn(USAGE_BY_STUDY, name);
  return isStudy ? USAGE_BY_STUDY[name]! : STUDY_USAGE;
}
