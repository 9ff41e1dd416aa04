/** Help texts of commands that read reports. */
import { FIGURE_NAMES } from '../../reports/figure-names.ts';

/** Help text of `tessera record`. */
export const RECORD_USAGE = `tessera record PROGRAM [options]

  Runs a WebGL program in this process, on a context of a simulated multi-chiplet GPU, and writes its frames. The
  program is a module that exports main({ canvas, gl }), which returns a function that draws a frame. Or it is the
  script of a page that gets the canvas from its document and draws in requestAnimationFrame, or an HTML page
  (.html). Time advances by 1/60 s per frame.

  -o, --output FILE      image, PNG; several frames are numbered: out-0000.png and so on (default: out.png)
      --report FILE      report, JSON; numbered in the same way
      --frames N         number of frames (default 1)
      --width PX         width of the canvas (default 640)
      --height PX        height of the canvas (default 360)
      --wait-idle        record frame 0 when no fetch, image, worker or timer up to 1 s is pending; fails after 60 s
      --service URL      service that renders the frames, on its own chiplets unless --chiplets sets their number
      --token-file FILE  file with the token of a service that requires one
      --expect FILE      reference image of the last frame; {frame} in the name stands for the number of a frame
                         as in the output, and then every frame has a reference: golden-{frame}.png
      --max-over8 N      with --expect: upper bound on the pixels that differ by more than 8 of 255 in a component:
                         N pixels, or N% of the image (default 0); out-difference.png shows the differences times 8
      --budget LIST      upper bounds on figures of every frame's report, as in cycles=25000,fragments=28000: counters
                         (see tessera counters), summed over the chiplets, and those listed below
      --json             print the reports, the checks and the names of the written files as JSON
      --chiplets N, --policy NAME, --bins N, --grid GRID, --split N, --visibility NAME, --timing NAME,
      --coupling NAME, --spec SPEC, --set LIST    as for tessera render, with the same defaults; with --service those of the service

  Each check prints a line. A miss sets the exit status to 1. Figures of a budget that are not counters:
  ${FIGURE_NAMES.slice(0, 9).join(', ')},
  ${FIGURE_NAMES.slice(9).join(', ')}.

  npx tessera record packages/webgl/examples/three-phong.mjs --chiplets 5 -o phong.png --report phong.json
  npx tessera record page.mjs --expect golden.png --max-over8 0.1% --budget cycles=25000,fragments=28000
  npx tessera record page.mjs --frames 3 --service http://127.0.0.1:8080
`;

/** Help text of `tessera energy`. */
export const ENERGY_USAGE = `tessera energy REPORT.json [options]

  Lists the energy of a frame by unit, chiplet and channel of the link, from a report with cycle timing that render,
  record or submit wrote. Energies are ranges in microjoules; docs/energy.md says what they are worth.

      --memory NAME        memory chips: gddr6, lpddr5, hbm2 (default: those of the report)
      --link CLASS         links between chiplets: on-chip, standard-package, advanced-package, board, system
      --package-link CLASS links between packages, of the same classes
      --json               print the energy as JSON

  npx tessera energy report.json --memory lpddr5 --link advanced-package
`;

/** Help text of `tessera report-diff`. */
export const REPORT_DIFF_USAGE = `tessera report-diff OLD.json NEW.json [options]

  Compares two reports of frames, as render, record or submit write them. Lists the options, parameters and
  figures that differ: counters are summed over the chiplets, and wall times are left out. Exits with status 1
  if a limit is exceeded.

      --max LIST         upper bounds on the change of figures, as in cycles=+2%,linkBytes=+4096: N% of the old
                         figure, or N. With cycles=-5% the new figure must be smaller by 5 %
      --json             print the differences and the limits as JSON

  Figures of a limit are counters (see tessera counters) and
  ${FIGURE_NAMES.slice(0, 9).join(', ')},
  ${FIGURE_NAMES.slice(9).join(', ')}.

  npx tessera report-diff old.json new.json --max cycles=+2%
`;
