/** A short run of `npm run chaos -- --kills 20`. */
import { describe, expect, it } from 'vitest';
import { runCoordinatorKills } from '../../scripts/chaos/coordinator-kills.ts';

describe('a coordinator that is killed repeatedly', () => {
  it('renders every frame that it accepted, and restores none that was deleted', async () => {
    const seed = Number(process.env.TESSERA_CHAOS_SEED ?? Math.floor(Math.random() * 1e9));
    const lines: string[] = [];
    const totals = await runCoordinatorKills({
      seed,
      killCount: 3,
      clientCount: 12,
      workerCount: 2,
      frameWithinMs: 120_000,
      maxKinds: 7,
      url: null,
      isVerbose: false,
      onLine: (line) => lines.push(line),
    });
    const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
    expect(totals.failures, told).toEqual([]);
    expect(totals.done, told).toBeGreaterThan(0);
    expect(totals.deletedOnce + totals.deletedTwice, told).toBeGreaterThan(0);
  }, 240_000);
});
