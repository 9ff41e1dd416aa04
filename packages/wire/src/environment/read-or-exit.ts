/** Startup of a service whose settings may be invalid. */
import { EnvironmentError } from './environment.ts';

/** Exit status of a service that cannot start with its settings. */
const INVALID_SETTINGS_STATUS = 2;

/** Ends the process with status 2 and prints why the service cannot start. */
export function exitAtStart(service: string, message: string): never {
  process.stderr.write(`${service}: ${message}\n`);
  process.exit(INVALID_SETTINGS_STATUS);
}

/**
 * Returns the result of `read`. Ends the process with status 2 if it throws
 * {@link EnvironmentError}.
 */
export function readOrExit<T>(service: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return exitAtStart(service, error.message);
  }
}
