/** A short run of `npm run chaos`. */
import { describe, expect, it } from 'vitest';
import { DISTURBANCE_KINDS } from '../../scripts/chaos/disturbances.ts';
import { runChaos } from '../../scripts/chaos/run-chaos.ts';

describe('a service in chaos', () => {
  it('renders every accepted frame with the undisturbed result', async () => {
    const seed = Number(process.env.TESSERA_CHAOS_SEED ?? Math.floor(Math.random() * 1e9));
    const lines: string[] = [];
    const totals = await runChaos({
      seed,
      frameCount: 24,
      clientCount: 4,
      workerCount: 2,
      everyMs: 900,
      longestMs: 3000,
      // Each kind once.
      maxDisturbances: DISTURBANCE_KINDS.length,
      frameWithinMs: 180_000,
      hasCapture: false,
      maxKinds: 7,
      url: null,
      isVerbose: false,
      onLine: (line) => lines.push(line),
    });
    const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
    expect(totals.failures, told).toEqual([]);
    expect(totals.done, told).toBe(24);
    expect(totals.disturbances.size, told).toBeGreaterThan(0);
  }, 300_000);
});
