/** Runs in a process of its own, because the collector's settings apply to a whole process. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MEBIBYTE = 2 ** 20;

/**
 * Returns the bytes outside of the heap four seconds after 240 MiB of old buffers became garbage.
 */
function leftAfterLargeFrames(isBounded: boolean): number {
  const script = `
    const { applyCollectorSettings } = await import('../../services/coordinator/src/process/collector-settings.ts');
    const { boundGarbage } = await import('../../services/coordinator/src/process/garbage-bound.ts');
    const { setTimeout: sleep } = await import('node:timers/promises');
    applyCollectorSettings();
    if (${isBounded}) boundGarbage();
    const held = Array.from({ length: 60 }, () => Buffer.alloc(4 * ${MEBIBYTE}));
    // Collections of young objects: what survives them is old.
    for (let i = 0; i < 200; i++) {
      Array.from({ length: 20_000 }, (_, at) => ({ at }));
      await sleep(1);
    }
    held.length = 0;
    await sleep(4000);
    process.stdout.write(String(process.memoryUsage().external));`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

describe('boundGarbage', () => {
  it('collects unreferenced buffers that the settings alone would keep', () => {
    expect(leftAfterLargeFrames(false)).toBeGreaterThan(200 * MEBIBYTE);
    expect(leftAfterLargeFrames(true)).toBeLessThan(40 * MEBIBYTE);
  });
});
