/** Resident memory of processes over a run: means by quarter, and the slope of a linear fit. */
import { residentBytes } from '../../load/resident-bytes.ts';

const SAMPLE_EVERY_MS = 1000;
/** Share of the run that counts as warm-up. */
const WARM_UP_SHARE = 0.25;
/** Share of the run that a process must live after the warm-up, so that a slope means something. */
const LEAST_LIFE_SHARE = 0.5;
const MINUTE_MS = 60_000;
const BYTES_PER_MIB = 2 ** 20;

/** Memory of one process at one time. */
interface Sample {
  readonly atMs: number;
  readonly pid: number;
  readonly mib: number;
}

/** Memory of a process. */
export interface MemoryReport {
  readonly process: string;
  /** Mean of each quarter of the run in MiB; null if there is no sample. */
  readonly quartersMib: readonly (number | null)[];
  /** Slope after the warm-up; null if no process of this name lived long enough. */
  readonly slopeMibPerMinute: number | null;
}

/** Samples the processes of a service. */
export class MemorySamples {
  readonly #samplesByName = new Map<string, Sample[]>();
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  /** @param pids Returns the ids of the running processes by name. */
  constructor(pids: () => ReadonlyMap<string, number>) {
    this.#timer = setInterval(() => this.#sample(pids()), SAMPLE_EVERY_MS);
  }

  /** Stops sampling and returns the memory of each process. */
  finish(): MemoryReport[] {
    clearInterval(this.#timer);
    const totalMs = performance.now() - this.#startMs;
    return [...this.#samplesByName].map(([process, samples]) => ({
      process,
      quartersMib: [0, 1, 2, 3].map((quarter) => meanOf(samples, quarter, totalMs)),
      slopeMibPerMinute: slopeOf(samples, totalMs),
    }));
  }

  #sample(pids: ReadonlyMap<string, number>): void {
    const atMs = performance.now() - this.#startMs;
    for (const [name, pid] of pids) {
      const mib = residentMib(pid);
      if (mib === null) continue;
      const samples = this.#samplesByName.get(name) ?? [];
      samples.push({ atMs, pid, mib });
      this.#samplesByName.set(name, samples);
    }
  }
}

function residentMib(pid: number): number | null {
  try {
    return residentBytes(pid) / BYTES_PER_MIB;
  } catch {
    return null; // It has ended in the meantime.
  }
}

function meanOf(samples: readonly Sample[], quarter: number, totalMs: number): number | null {
  const own = samples.filter(({ atMs }) => Math.floor((4 * atMs) / totalMs) === quarter);
  return own.length === 0 ? null : own.reduce((sum, { mib }) => sum + mib, 0) / own.length;
}

/** Least squares over the samples of the last process after the warm-up. */
function slopeOf(samples: readonly Sample[], totalMs: number): number | null {
  const pid = samples.at(-1)?.pid;
  const own = samples.filter((each) => each.pid === pid && each.atMs > WARM_UP_SHARE * totalMs);
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last!.atMs - first.atMs < LEAST_LIFE_SHARE * totalMs) return null;
  const meanMs = own.reduce((sum, { atMs }) => sum + atMs, 0) / own.length;
  const meanMib = own.reduce((sum, { mib }) => sum + mib, 0) / own.length;
  let products = 0;
  let squares = 0;
  for (const { atMs, mib } of own) {
    products += (atMs - meanMs) * (mib - meanMib);
    squares += (atMs - meanMs) ** 2;
  }
  return (products / squares) * MINUTE_MS;
}
