/**
 * `tessera study visibility-stream PATH...`: compares the bytes of visibility streams with those of
 * flat lists of 32-bit ids.
 */
import { MAX_COARSE_BINS, RenderError } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { readFrame, STUDIED } from '../../inputs/read-frame.ts';
import { formatCsv } from '../../tables/csv.ts';
import { integerOption, parseOptions } from '../../terminal/command-options.ts';
import { withProgress } from '../../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../../terminal/terminal-output.ts';
import { listScenes } from '../scenes/scene-files.ts';

const BYTES_PER_ID = 4;

/** Columns of the printed CSV. */
export const VISIBILITY_STREAM_COLUMNS = [
  'scene',
  'primitives',
  'entries',
  'streamBytes',
  'flatBytes',
  'share',
  'tightness',
] as const;

interface StreamRow {
  readonly scene: string;
  readonly primitivesIn: number;
  readonly primitivesListed: number;
  readonly streamBytes: number;
  /** Bytes of the same entries as 32-bit ids. */
  readonly flatBytes: number;
  readonly tightness: number | null;
}

/**
 * Runs the study. Scenes that cannot be rendered are reported and skipped.
 *
 * @throws {RenderError} On bad options.
 */
export async function runVisibilityStreamCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    bins: { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  });
  if (positionals.length === 0) throw new RenderError('REQUEST_INVALID', 'give at least one path');
  const binCount = integerOption('bins', values.bins, 1, MAX_COARSE_BINS);
  const gpu = new LocalGpu({ chipletCount: 1 });
  const rows: StreamRow[] = [];
  const files = await listScenes(positionals);
  for (const { name: scene, path } of withProgress(files, ({ name }) => name)) {
    try {
      const { frame } = await readFrame(path, STUDIED, gpu.programs);
      const { report } = await gpu.render(frame, { grid: { kind: 'bins', count: binCount } });
      const { primitivesIn, primitivesListed, streamBytes, tightness } = report.visibility;
      const flatBytes = BYTES_PER_ID * primitivesListed;
      rows.push({ scene, primitivesIn, primitivesListed, streamBytes, flatBytes, tightness });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      printNote(`${scene}: skipped: ${error.message}\n`);
    }
  }
  if (values.json) {
    printJson(rows);
    return;
  }
  printText(formatRows(rows));
  const sumOf = (field: 'streamBytes' | 'flatBytes') =>
    rows.reduce((sum, row) => sum + row[field], 0);
  const [stream, flat] = [sumOf('streamBytes'), sumOf('flatBytes')];
  printNote(`all scenes: ${stream} of ${flat} bytes, ${(stream / flat).toFixed(3)}\n`);
}

/** Returns the rows as CSV. */
function formatRows(rows: readonly StreamRow[]): string {
  return formatCsv({
    head: VISIBILITY_STREAM_COLUMNS,
    keyColumns: 1,
    rows: rows.map(
      ({ scene, primitivesIn, primitivesListed, streamBytes, flatBytes, tightness }) => [
        scene,
        primitivesIn,
        primitivesListed,
        streamBytes,
        flatBytes,
        (streamBytes / flatBytes).toFixed(4),
        tightness?.toFixed(4) ?? '',
      ],
    ),
  });
}
