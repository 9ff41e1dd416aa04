/** Header of every table: the machine, its load and the version of Node. */
import { availableParallelism, cpus, loadavg } from 'node:os';

/** Prints the header. @param title Title of the measurement. */
export function printMachine(title: string): void {
  process.stdout.write(
    `${title}\n${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
      `load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n\n`,
  );
}
