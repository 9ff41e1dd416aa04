/**
 * `tessera study visibility-stream PATH...`: compares the bytes of visibility streams with those of
 * flat lists of 32-bit ids.
 */
import { RenderError } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { readFrame } from '../../inputs/read-frame.ts';
import { formatCsv } from '../../tables/csv.ts';
import { integerOption, parseOptions } from '../../terminal/command-options.ts';
import { withProgress } from '../../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../../terminal/terminal-output.ts';
import { listScenes } from '../scenes/scene-files.ts';

const BYTES_PER_ID = 4;

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
  const binCount = integerOption('bins', values.bins, 1, 1024);
  const gpu = new LocalGpu({ chipletCount: 1 });
  const rows: StreamRow[] = [];
  const files = await listScenes(positionals);
  for (const { name: scene, path } of withProgress(files, ({ name }) => name)) {
    try {
      const { frame } = await readFrame(path, {}, gpu.programs);
      const { report } = await gpu.render(frame, { grid: { kind: 'bins', count: binCount } });
      const { primitivesIn, primitivesListed, streamBytes, tightness } = report.visibility;
      const flatBytes = BYTES_PER_ID * primitivesListed;
      rows.push({ scene, primitivesIn, primitivesListed, streamBytes, flatBytes, tightness });
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      printNote(`${scene}: skipped: ${error.message}\n`);
    }
  }
  if (values.json) printJson(rows);
  else printText(formatRows(rows));
}

/** Returns the rows as CSV, followed by a row for all scenes. */
function formatRows(rows: readonly StreamRow[]): string {
  const sumOf = (field: 'streamBytes' | 'flatBytes') =>
    rows.reduce((sum, row) => sum + row[field], 0);
  const bytes = (stream: number, flat: number) => [stream, flat, (stream / flat).toFixed(3)];
  return formatCsv({
    head: ['scene', 'primitives', 'entries', 'streamBytes', 'flatBytes', 'share', 'tightness'],
    keyColumns: 1,
    rows: [
      ...rows.map(
        ({ scene, primitivesIn, primitivesListed, streamBytes, flatBytes, tightness }) => [
          scene,
          primitivesIn,
          primitivesListed,
          ...bytes(streamBytes, flatBytes),
          tightness?.toFixed(3) ?? '',
        ],
      ),
      ['all', '', '', ...bytes(sumOf('streamBytes'), sumOf('flatBytes')), ''],
    ],
  });
}
