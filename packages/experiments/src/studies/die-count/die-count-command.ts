/** `tessera study die-count`. */
import { RenderError } from '@tessera/frame';
import { readRevision } from '@tessera/study/revision';
import { withContext, withoutContext } from '../../tables/context-columns.ts';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { writeStudyFiles } from '../../tables/study-files.ts';
import { parseOptions } from '../../terminal/command-options.ts';
import { printJson, printText } from '../../terminal/terminal-output.ts';
import { studyDieCount } from './die-count.ts';
import { plotDieCount, showDieCount } from './die-count-tables.ts';

/** Runs the command. @throws {RenderError} On bad options. */
export async function runDieCountCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
    doc: { type: 'string' },
    'no-context': { type: 'boolean', default: false },
  });
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `die-count takes no path: ${positionals[0]}`);
  }
  const figures = withContext(studyDieCount(), readRevision());
  const csv = formatCsv(values['no-context'] ? withoutContext(figures) : figures);
  const tables = showDieCount(csv);
  if (values.json) printJson(readRecords(parseCsv(csv)));
  else printText([...tables.values()].join('\n'));
  await writeStudyFiles(values, { csv, makePlot: () => plotDieCount(csv), tables });
}
