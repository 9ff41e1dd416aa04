/** Runs in a process of its own, because the collector's settings apply to a whole process. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MEBIBYTE = 2 ** 20;

/**
 * Returns the bytes in and outside of the heap four seconds after 240 MiB of old pieces became
 * garbage.
 *
 * @param piece Expression of a piece of 4 MiB.
 */
function leftAfterLargeFrames(piece: string, isBounded: boolean): number {
  const script = `
    const { applyCollectorSettings } = await import('../../services/coordinator/src/process/collector-settings.ts');
    const { boundGarbage } = await import('../../services/coordinator/src/process/garbage-bound.ts');
    const { setTimeout: sleep } = await import('node:timers/promises');
    applyCollectorSettings();
    if (${isBounded}) boundGarbage();
    const held = Array.from({ length: 60 }, () => ${piece});
    // Collections of young objects: what survives them is old.
    for (let i = 0; i < 200; i++) {
      Array.from({ length: 20_000 }, (_, at) => ({ at }));
      await sleep(1);
    }
    held.length = 0;
    await sleep(4000);
    const { external, heapUsed } = process.memoryUsage();
    process.stdout.write(String(external + heapUsed));`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

describe('boundGarbage', () => {
  it.each([
    ['buffers', `Buffer.alloc(4 * ${MEBIBYTE})`],
    ['texts', `JSON.stringify('x'.repeat(4 * ${MEBIBYTE}))`],
  ])('collects unreferenced %s that the settings alone would keep', (_, piece) => {
    expect(leftAfterLargeFrames(piece, false)).toBeGreaterThan(200 * MEBIBYTE);
    expect(leftAfterLargeFrames(piece, true)).toBeLessThan(60 * MEBIBYTE);
  });
});
