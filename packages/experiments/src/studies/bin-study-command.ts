/** `tessera study bin-cost PATH...` and `tessera study bin-assignment PATH...`. */
import { writeFile } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { defineInterconnect } from '@tessera/multi-chiplet';
import { integerOption, optionalInteger, parseOptions } from '../command-options.ts';
import { withProgress } from '../progress-bar.ts';
import {
  compareAssignments,
  describeAssignments,
  describeFit,
  formatAssignmentsCsv,
  type MeasuredScene,
  measureScene,
} from './bin-costs.ts';
import { listScenes, sceneName } from './scene-files.ts';

export const BIN_STUDY_USAGE = `tessera study bin-cost PATH... [options]
tessera study bin-assignment PATH... [options]

  Renders each scene once on one chiplet, to the cycle. bin-cost fits the cost model to the cycles of the bins.
  bin-assignment works out from them how every policy does, without rendering again.

      --bins N       coarse bins (default 64)
      --chiplets N   for bin-assignment (default 8)
      --csv FILE     the figures of bin-assignment
      --json         print them as JSON; of bin-cost what was measured of each bin
      --link-topology NAME, --link-bytes-per-cycle N, --link-latency-cycles N

  npx tessera study bin-cost models/
  npx tessera study bin-assignment models/ captures/ --chiplets 8
`;

/** Runs either study. @throws {RenderError} On bad options; scenes that cannot be rendered are reported and left out. */
export async function runBinStudyCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    bins: { type: 'string', default: '64' },
    chiplets: { type: 'string', default: '8' },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    'link-topology': { type: 'string' },
    'link-bytes-per-cycle': { type: 'string' },
    'link-latency-cycles': { type: 'string' },
  });
  if (values.help) {
    process.stdout.write(BIN_STUDY_USAGE);
    return;
  }
  const [study, ...paths] = positionals;
  if (paths.length === 0) throw new RenderError('REQUEST_INVALID', 'give at least one path');
  const binCount = integerOption('bins', values.bins, 1, 1024);
  const chiplets = integerOption('chiplets', values.chiplets, 1, 64);
  const most = Number.MAX_SAFE_INTEGER;
  const interconnect = defineInterconnect({
    topology: values['link-topology'],
    bytesPerCycle: optionalInteger('link-bytes-per-cycle', values['link-bytes-per-cycle'], 1, most),
    latencyCycles: optionalInteger('link-latency-cycles', values['link-latency-cycles'], 0, most),
  });
  const files = (await Promise.all(paths.map(listScenes))).flat();
  const scenes: MeasuredScene[] = [];
  for (const file of withProgress(files, sceneName)) {
    try {
      scenes.push(await measureScene(sceneName(file), file, binCount));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      process.stderr.write(`${sceneName(file)}: left out: ${error.message}\n`);
    }
  }
  if (scenes.length === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be rendered');
  if (study === 'bin-cost') {
    process.stdout.write(
      values.json ? `${JSON.stringify(scenes, null, 2)}\n` : describeFit(scenes),
    );
    return;
  }
  const rows = scenes.flatMap((scene) => compareAssignments(scene, chiplets, interconnect));
  process.stdout.write(
    values.json ? `${JSON.stringify(rows, null, 2)}\n` : describeAssignments(rows),
  );
  if (values.csv !== undefined) await writeFile(values.csv, formatAssignmentsCsv(rows));
}
