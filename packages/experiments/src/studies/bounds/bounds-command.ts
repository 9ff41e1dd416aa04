/** `tessera study bounds`. */
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import { specDigest } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import { withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { printJson, printText } from '../../terminal/terminal-output.ts';
import { studyBounds } from './bounds.ts';
import { showBounds } from './bounds-tables.ts';

/** Runs the command. @throws {RenderError} On bad options. */
export async function runBoundsCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    doc: { type: 'string' },
    'no-context': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `bounds takes no path: ${positionals[0]}`);
  }
  const rows = await studyBounds(() => true);
  const figures = withContext(rows, {
    spec: DEFAULT_CHIPLET_SPEC.name,
    specDigest: specDigest(summarizeSpec(DEFAULT_CHIPLET_SPEC)),
    ...readRevision(),
  });
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const tables = showBounds(csv);
  if (values.json) printJson(readRecords(parseCsv(csv)));
  else printText([...tables.values()].join('\n'));
  await writeStudyFiles(values, { csv, tables });
}
