/** Processor time of a service, from the files of Linux about processes. */
import { readFileSync } from 'node:fs';

/** Clock ticks per second of the times in /proc. */
const TICKS_PER_SECOND = 100;

/** Processor time since the starts of the processes, in seconds. */
export interface ProcessorTime {
  /** Threads of the coordinator, living and ended, besides that of its event loop. */
  readonly prepareSeconds: number;
  readonly chipletSeconds: number;
}

/** Returns the processor time of the processes of a service by name. */
export function readProcessorTime(pids: ReadonlyMap<string, number>): ProcessorTime {
  let prepareSeconds = 0;
  let chipletSeconds = 0;
  for (const [name, pid] of pids) {
    const all = secondsIn(`/proc/${pid}/stat`);
    if (name !== 'coordinator') chipletSeconds += all;
    else prepareSeconds = all - secondsIn(`/proc/${pid}/task/${pid}/stat`);
  }
  return { prepareSeconds, chipletSeconds };
}

/** Returns the user and system time of a process, or of a thread. */
function secondsIn(path: string): number {
  // Fields follow the name, which may contain spaces, in parentheses. See proc_pid_stat(5).
  const text = readFileSync(path, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = [fields[11], fields[12]];
  return (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}
