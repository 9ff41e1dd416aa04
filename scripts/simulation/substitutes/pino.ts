/** `pino` whose lines go to the log of the world. */
import { currentContext, theWorld } from '../world/world.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Line of a log. */
export interface LogLine {
  readonly level: (typeof LEVELS)[number];
  readonly process: string;
  readonly atMs: number;
  readonly fields: unknown;
  readonly message: string;
}

/** Receives the lines of all processes. */
export const logSink: { receive: (line: LogLine) => void } = { receive: () => {} };

type Log = Record<string, unknown>;

function makeLog(): Log {
  const log: Log = { level: 'trace', silent: () => {}, isLevelEnabled: () => true };
  for (const level of LEVELS) {
    log[level] = (fields: unknown, message?: string) => {
      logSink.receive({
        level,
        process: currentContext().process.name,
        atMs: theWorld().nowMs,
        fields,
        message: message ?? String(fields),
      });
    };
  }
  log.child = () => log;
  return log;
}

export function pino(): Log {
  return makeLog();
}

export default pino;
