/** Log lines of the services (JSON by pino) as people read them. */

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** Fields that are shown elsewhere in the line, or are of no use. */
const HIDDEN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err']);

interface LogFields {
  readonly level?: unknown;
  readonly time?: unknown;
  readonly msg?: unknown;
  readonly err?: { readonly stack?: unknown };
}

/** A line of a service; one that is not JSON is shown as it is. */
export function formatLogLine(name: string, line: string): string {
  const fields = parseFields(line);
  // What a process says before it has a log starts with its name already.
  if (fields === null) return line.startsWith(`${name}:`) ? line : `${name}: ${line}`;
  const level = LEVEL_NAMES[Number(fields.level)] ?? '';
  const time = new Date(Number(fields.time)).toISOString().slice(11, 23);
  const rest = Object.entries(fields)
    .filter(([field]) => !HIDDEN_FIELDS.has(field))
    .map(
      ([field, value]) => ` ${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
  const stack = typeof fields.err?.stack === 'string' ? `\n${fields.err.stack}` : '';
  return `${time} ${level.padEnd(5)} ${name}: ${String(fields.msg)}${rest.join('')}${stack}`;
}

function parseFields(line: string): LogFields | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogFields;
  } catch {
    return null; // shown as it is
  }
}
