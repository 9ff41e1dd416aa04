/** `tessera study memory-bandwidth`. */
import { summarizeSpec } from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import { specDigest } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import { readSpecOption } from '../../inputs/spec-option.ts';
import { withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv } from '../../tables/csv.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { printJson, printText } from '../../terminal/terminal-output.ts';
import { plotBandwidth } from './bandwidth-plot.ts';
import { bandwidthTable, formatBandwidthTable, showBandwidth } from './bandwidth-tables.ts';
import { studyFill } from './drawn-fill.ts';
import { PAPER, studyBandwidth } from './memory-bandwidth.ts';

/** Runs the command. @throws {RenderError} On bad options. */
export async function runMemoryBandwidthCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    spec: { type: 'string', default: 'hmgpu' },
    set: { type: 'string', multiple: true },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
    doc: { type: 'string' },
    'no-context': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `memory-bandwidth takes no path: ${positionals[0]}`);
  }
  const spec = readSpecOption(values.spec, values.set);
  const rows = studyBandwidth(spec);
  const fill = await studyFill(spec);
  const figures = withContext(bandwidthTable(rows, fill), {
    spec: spec.name,
    specDigest: specDigest(summarizeSpec(spec)),
    ...readRevision(),
  });
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const tables = showBandwidth(csv);
  if (values.json) printJson({ rows, fill });
  else
    printText(
      `MB/s of ${spec.name}, peak ${(rows[0]!.peakBytesPerSecond / 1e6).toFixed(1)}\n\n` +
        `${formatBandwidthTable(rows)}\n\n${tables.get('fill')}\n` +
        `paper: ${PAPER.bytesPerSecond / 1e6} MB/s, ${PAPER.pixelsPerSecond / 1e6} Mpixel/s\n`,
    );
  await writeStudyFiles(values, { csv, makePlot: () => plotBandwidth(rows), tables });
}
