/** CPU time and memory of other processes, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in the kernel's reports, on every platform that Node supports. */
const TICKS_PER_SECOND = 100;
const BYTES_PER_MB = 1e6;

/** CPU time of a process, in milliseconds. */
export interface CpuTime {
  /** CPU time of all threads. */
  readonly processMs: number;
  readonly mainThreadMs: number;
}

/** Returns the CPU time that a process has used, user and system. */
export function readCpuTime(pid: number): CpuTime {
  return {
    processMs: readTicks(`/proc/${pid}/stat`),
    mainThreadMs: readTicks(`/proc/${pid}/task/${pid}/stat`),
  };
}

/**
 * Returns the CPU time of all children of this process that have exited, in milliseconds, user and
 * system.
 */
export function readChildrenCpuMs(): number {
  return readTicks('/proc/self/stat', 16);
}

/** Returns the sum of a pair of times. By default, utime and stime, which are fields 14 and 15. */
function readTicks(path: string, firstField = 14): number {
  const text = readFileSync(path, 'utf8');
  // The name, field 2, may contain spaces and brackets, unlike the fields after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(firstField - 3).map(Number);
  return ((user! + system!) * 1000) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process and its maximum, in MB. */
export function readMemoryMb(pid: number): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => {
    const kB = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    if (kB === undefined) throw new Error(`bench: /proc/${pid}/status has no ${name}`);
    return (Number(kB) * 1024) / BYTES_PER_MB;
  };
  return { now: field('VmRSS'), most: field('VmHWM') };
}

/** Returns the command lines of the descendants of a process, by process id. */
export function listDescendants(ancestor: number): Map<number, string> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended.
    }
  }
  const found = new Map<number, string>();
  for (const pid of parents.keys()) {
    let above: number | undefined = pid;
    while (above !== undefined && above !== ancestor) above = parents.get(above);
    if (above === undefined || pid === ancestor) continue;
    try {
      found.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // The process has ended.
    }
  }
  return found;
}
