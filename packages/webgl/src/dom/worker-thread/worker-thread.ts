/**
 * Entry of the thread of a worker: creates its global names and handles its messages. Threads do
 * not inherit the cache of compiled modules, which halves the time until a worker runs.
 */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerStart } from '../workers/worker-protocol.ts';

const start = workerData as WorkerStart;
if (start.compileCache !== null) module.enableCompileCache(start.compileCache);
const { WorkerLoop } = await import('./worker-loop.ts');
new WorkerLoop(parentPort!, start);
