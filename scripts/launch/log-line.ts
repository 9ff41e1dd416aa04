/**
 * Formats log lines of the services (JSON by pino) for people. They contain text from others, such
 * as the reason with which a peer closes a link. Control characters are escaped, so that a line can
 * neither imitate another nor control the terminal.
 */
import { escapeControls } from '@tessera/frame';

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** Fields that are shown elsewhere in the line or are not useful. */
const HIDDEN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err']);

interface LogFields {
  readonly level?: unknown;
  readonly time?: unknown;
  readonly msg?: unknown;
  readonly err?: { readonly stack?: unknown };
}

/** Formats a line of a service. A line that is not JSON is shown as text. */
export function formatLogLine(name: string, line: string): string {
  const fields = parseFields(line);
  if (fields === null) {
    const text = escapeControls(line);
    // Text that a process writes before it has a log already starts with its name.
    return text.startsWith(`${name}:`) ? text : `${name}: ${text}`;
  }
  const level = LEVEL_NAMES[Number(fields.level)] ?? '';
  const date = new Date(Number(fields.time));
  const time = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(11, 23);
  const rest = Object.entries(fields)
    .filter(([field]) => !HIDDEN_FIELDS.has(field))
    .map(([field, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return escapeControls(` ${field}=${text}`);
    });
  const message = escapeControls(String(fields.msg));
  return `${time} ${level.padEnd(5)} ${name}: ${message}${rest.join('')}${formatStack(fields)}`;
}

/**
 * Returns the stack of an error for the lines below. It is indented because its message may have
 * several lines.
 */
function formatStack({ err }: LogFields): string {
  if (typeof err?.stack !== 'string') return '';
  return err.stack
    .split('\n')
    .map((line) => `\n    ${escapeControls(line)}`)
    .join('');
}

function parseFields(line: string): LogFields | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogFields;
  } catch {
    return null; // The line is not JSON, so it is shown unchanged.
  }
}
