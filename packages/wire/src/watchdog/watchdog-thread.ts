/** The thread of `watchEventLoop`. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { STALL_SIGNAL, type WatchdogSetup } from './loop-watchdog.ts';

const { name, stallMs, tickMs, beats } = workerData as WatchdogSetup; // set by watchEventLoop
const STDERR = 2;
const FATAL_LEVEL = 60;
const ticksAllowed = Math.ceil(stallMs / tickMs);
let lastBeats = Atomics.load(beats, 0);
let silentTicks = 0;

setInterval(() => {
  const current = Atomics.load(beats, 0);
  silentTicks = current === lastBeats ? silentTicks + 1 : 0;
  lastBeats = current;
  if (silentTicks < ticksAllowed) return;
  if (silentTicks === ticksAllowed) end(STALL_SIGNAL);
  // The first process of a container ignores signals that it does not handle. It only receives
  // SIGKILL from outside the container.
  else end('SIGKILL');
}, tickMs);

function end(signal: NodeJS.Signals): void {
  const message = `the event loop stalled for ${silentTicks * tickMs} ms: ending the process (${signal})`;
  const line = { level: FATAL_LEVEL, time: Date.now(), pid: process.pid, name, msg: message };
  try {
    writeSync(STDERR, `${JSON.stringify(line)}\n`);
  } catch {
    // The process must end even if the line cannot be written.
  }
  process.kill(process.pid, signal);
}
