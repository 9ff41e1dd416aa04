/** `tessera report-diff OLD.json NEW.json`: lists the figures of two reports that differ. */
import { RenderError, type Report } from '@tessera/frame';
import { readReport } from '../reports/read-report.ts';
import { readFigures, splitLimits } from '../reports/report-figures.ts';
import { numberOption, parseOptions } from '../terminal/command-options.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

type Value = number | string | null;

/** Setting or figure whose values differ. */
interface Difference {
  readonly name: string;
  /** Missing if the old report does not have it; likewise `new`. */
  readonly old?: Value | undefined;
  readonly new?: Value | undefined;
}

/** Upper bound on the change of a figure. */
interface ChangeLimit {
  readonly name: string;
  /** Limit as given, such as `+2%`. */
  readonly text: string;
  /** Largest new figure for an old one. */
  readonly mostAfter: (old: number) => number;
}

/**
 * Runs the command. An exceeded limit sets the exit status to 1.
 *
 * @throws {RenderError} On bad options, and files that are not reports.
 */
export async function runReportDiffCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    max: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  });
  const [oldPath, newPath] = positionals;
  if (oldPath === undefined || newPath === undefined || positionals.length > 2) {
    throw new RenderError('REQUEST_INVALID', 'give two reports, the old one and the new one');
  }
  const limits = splitLimits('max', values.max ?? []).map(([name, text]) => readLimit(name, text));
  const [before, after] = [await readReport(oldPath), await readReport(newPath)];
  const figures = { old: readFigures(before), new: readFigures(after) };
  const settings = listDifferences(readSettings(before), readSettings(after));
  const changes = listDifferences(figures.old, figures.new);
  const results = limits.map((limit) => {
    const [old, found] = [figures.old.get(limit.name), figures.new.get(limit.name)];
    if (typeof old !== 'number' || typeof found !== 'number') {
      const message = `max: ${limit.name} has no value in both reports; cycles need --timing cycle`;
      throw new RenderError('REQUEST_INVALID', message);
    }
    const most = limit.mostAfter(old);
    const text = `${limit.name}: ${old} → ${found} (${changeOf(old, found)}), at most ${limit.text}`;
    return { isMet: found <= most, text };
  });
  if (values.json) printJson({ settings, figures: changes, limits: results });
  else printText(describe(settings, changes));
  for (const { isMet, text } of results) {
    if (!isMet) printNote(`FAIL  ${text}\n`);
    else if (!values.json) printText(`pass  ${text}\n`);
  }
  if (results.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

/** Reads `+2%`, `-5%` or a number. */
function readLimit(name: string, text: string): ChangeLimit {
  const isShare = text.endsWith('%');
  const change = numberOption(`max ${name}`, isShare ? text.slice(0, -1) : text);
  return { name, text, mostAfter: (old) => old + (isShare ? (old * change) / 100 : change) };
}

/** Returns what was rendered, and on which hardware. */
function readSettings(report: Report): Map<string, Value> {
  const { frame, image, timing, coupling, policy, spec, visibility, link, placement } = report;
  const settings = new Map<string, Value>([
    ['frame', frame.sha256],
    ['size', `${frame.widthPx}×${frame.heightPx}`],
    ['image', image.sha256],
    ['timing', timing],
    ['coupling', coupling],
    ['policy', policy],
    ['visibility', visibility.shader],
    ['spec', spec.name],
    ['link topology', link.topology],
    ['link bytesPerCycle', link.bytesPerCycle],
    ['link latencyCycles', link.latencyCycles],
  ]);
  for (const [kind, place] of Object.entries(placement)) settings.set(`placement ${kind}`, place);
  for (const [name, value] of Object.entries(spec.parameters))
    settings.set(`spec ${name}`, typeof value === 'boolean' ? String(value) : value);
  return settings;
}

function listDifferences(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, old: before.get(name), new: after.get(name) }))
    .filter((difference) => difference.old !== difference.new);
}

function describe(settings: readonly Difference[], figures: readonly Difference[]): string {
  const all = [...settings, ...figures];
  if (all.length === 0) return 'the reports are equal except for wall times\n';
  const rows = all.map(({ name, old, new: found }) => [
    name,
    shorten(old),
    shorten(found),
    typeof old === 'number' && typeof found === 'number' ? changeOf(old, found) : '',
  ]);
  return formatColumns([['', 'old', 'new', 'change'], ...rows]);
}

/** Shortens hashes. */
function shorten(value: Value | undefined): string {
  const text = String(value ?? '–');
  return /^[0-9a-f]{64}$/.test(text) ? text.slice(0, 12) : text;
}

function changeOf(old: number, found: number): string {
  if (old === 0) return found === 0 ? '+0 %' : 'from 0';
  const percent = (100 * (found - old)) / old;
  return `${percent < 0 ? '' : '+'}${percent.toFixed(2)} %`;
}
