/** `pino` whose lines go to the log of the world. */
import { LEVELS, logSink } from '../world/log-lines.ts';
import { currentContext, theWorld } from '../world/world.ts';

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

/** Substitute of `pino`. */
export function pino(): Log {
  return makeLog();
}
