/** Runs in a process of its own, because the collector's settings apply to a whole process. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const THREAD = `
  import { PerformanceObserver, constants } from 'node:perf_hooks';
  import { parentPort } from 'node:worker_threads';
  let full = 0;
  new PerformanceObserver((list) => {
    const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    full += list.getEntries().filter(isFull).length;
  }).observe({ entryTypes: ['gc'] });
  // As large as the memory of a simulated chiplet, which hardly uses it.
  const memory = new WebAssembly.Memory({ initial: 16_000, maximum: 16_000 });
  const kept = new Uint8Array(memory.buffer);
  for (let i = 0; i < 1200; i++) Array.from({ length: 20_000 }, (_, at) => ({ at }));
  setTimeout(() => parentPort.postMessage(full + kept[0]), 50);
`;

/** Returns the number of full collections in a thread with the heap of a computation. */
function fullCollections(isAsUsual: boolean): number {
  const script = `
    const { applyCollectorSettings, collectAsUsual } =
      await import('../../services/coordinator/src/process/collector-settings.ts');
    const { Worker } = await import('node:worker_threads');
    applyCollectorSettings();
    const compute = () => new Promise((resolve) => {
      const limits = { maxOldGenerationSizeMb: 384 };
      const thread = new Worker(${JSON.stringify(THREAD)}, { eval: true, resourceLimits: limits });
      thread.once('message', resolve);
    });
    const full = await (${isAsUsual} ? collectAsUsual(compute) : compute());
    process.stdout.write(String(full));`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

it('lets a computation allocate without full collections', () => {
  expect(fullCollections(false)).toBeGreaterThan(20);
  expect(fullCollections(true)).toBeLessThan(10);
});
