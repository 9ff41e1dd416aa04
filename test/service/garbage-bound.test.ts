/** Runs in a process of its own, because the collector's settings apply to a whole process. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MEBIBYTE = 2 ** 20;

/**
 * Returns the bytes in a place four seconds after 240 MiB of old pieces there became garbage.
 *
 * @param piece Expression of a piece of 4 MiB.
 */
function leftAfterLargeFrames(
  place: 'external' | 'heapUsed',
  piece: string,
  isBounded: boolean,
): number {
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
    process.stdout.write(String(process.memoryUsage().${place}));`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

describe('boundGarbage', () => {
  it.each([
    ['external', 'buffers', `Buffer.alloc(4 * ${MEBIBYTE})`],
    ['heapUsed', 'texts', `JSON.stringify('x'.repeat(4 * ${MEBIBYTE}))`],
  ] as const)(
    '%s: collects unreferenced %s that the settings alone would keep',
    (place, _, piece) => {
      expect(leftAfterLargeFrames(place, piece, false)).toBeGreaterThan(200 * MEBIBYTE);
      expect(leftAfterLargeFrames(place, piece, true)).toBeLessThan(40 * MEBIBYTE);
    },
  );
});
