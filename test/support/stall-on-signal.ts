/** Stalls the event loop of a process forever on SIGUSR2. Loaded with `node --import`. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (;;);
  });
}
