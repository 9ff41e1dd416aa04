/** Lines that the processes of a world log. */

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Line of a log. */
export interface LogLine {
  readonly level: (typeof LEVELS)[number];
  readonly process: string;
  readonly atMs: number;
  readonly fields: unknown;
  readonly message: string;
}

/** Receiver of the lines of all processes. */
export const logSink: { receive: (line: LogLine) => void } = { receive: () => {} };
