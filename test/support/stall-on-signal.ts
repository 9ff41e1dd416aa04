/** Loaded into a process (`node --import`), this makes its event loop stand still for ever on SIGUSR2. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('SIGUSR2', () => {
    for (;;);
  });
}
