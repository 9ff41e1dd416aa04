/** Text of a log line of a simulated process. */
import type { LogLine } from './world/log-lines.ts';

/** Returns a log line as text. */
export function formatLine({ atMs, process, level, fields, message }: LogLine): string {
  const { err, ...others } = (typeof fields === 'object' && fields !== null ? fields : {}) as {
    err?: Error;
  };
  const details = Object.keys(others).length === 0 ? '' : ` ${JSON.stringify(others)}`;
  const failure = err === undefined ? '' : `\n${err.stack ?? err}`;
  return `${atMs.toFixed(2)} ${process} ${level} ${message}${details}${failure}`;
}
