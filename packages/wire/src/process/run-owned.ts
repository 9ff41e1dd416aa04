/**
 * Work that its caller does not wait for. A promise that nothing awaits ends the process when it is
 * rejected. Here each such promise has an owner, which ends only the job that failed.
 */

/** Log for failures that nothing else handles, such as a pino logger. */
export interface FailureLog {
  readonly error: (fields: object, message: string) => void;
}

/**
 * Runs `work` without waiting for it. A failure is logged with its stack, then passed to
 * `onFailure`, which ends the job that failed. Never throws, and no failure of `work` or
 * `onFailure` reaches the process.
 *
 * @param work Name of the work, for the log, such as "rendering a frame".
 * @param fields Fields of the log line that identify the job.
 */
export function runOwned(
  log: FailureLog,
  work: string,
  fields: object,
  run: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): void {
  const own = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      log.error({ ...fields, err: error }, `${work} failed because of a bug`);
      onFailure(error);
    }
  };
  own().catch((error) => {
    log.error({ ...fields, err: error }, `${work} failed, and so did its cleanup`);
  });
}
