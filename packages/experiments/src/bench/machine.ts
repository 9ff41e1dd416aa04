/** The head of every table: what ran where. */
import { availableParallelism, cpus, loadavg } from 'node:os';

/** @param title What is measured. */
export function printMachine(title: string): void {
  process.stdout.write(
    `${title}\n${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
      `load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}\n\n`,
  );
}
