/**
 * The machine room in its thread: as in this process, and stopped when its result is not needed.
 */
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { LocalGpu } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  type FrameMeasurement,
  type SimulationOptions,
} from '@tessera/multi-chiplet';
import { terrainFrame } from '@tessera/scenes';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ComputePool } from '../../services/coordinator/src/compute/compute-pool.ts';
import { MachineRooms } from '../../services/coordinator/src/compute/machine-rooms.ts';

const SIMULATION: SimulationOptions = {
  chipletCount: 3,
  isVisibilityChipletRendering: true,
  policy: 'dynamic-pull',
  interconnect: DEFAULT_INTERCONNECT,
  overlap: 'visibility-first',
  framesInFlight: 1,
};
const spec = summarizeSpec(DEFAULT_CHIPLET_SPEC);
/** Number of passes whose simulation takes several seconds. */
const MANY_PASSES = 100;
/** Number of passes whose simulation takes longer than a test may. */
const ENDLESS_PASSES = 10_000;
/** Number of chiplets whose machines take about 300 MB. */
const MANY_CHIPLETS = 200;
const ROOM_OPTIONS = { withinMs: 60_000, heapMb: 256, maxWaiting: 8 };
const AN_HOUR_MS = 3_600_000;
const never = new AbortController().signal;

describe('the thread of the machine room', () => {
  let measurement: FrameMeasurement;
  let cycles: number | null;
  const pools: ComputePool[] = [];

  beforeAll(async () => {
    const frame = terrainFrame({ widthPx: 640, heightPx: 360, triangles: 20_000 });
    const rendered = await new LocalGpu({ chipletCount: 3 }).render(frame, {
      timing: 'cycle',
      coupling: 'exact',
      policy: 'dynamic-pull',
    });
    measurement = rendered.measurement;
    cycles = rendered.report.totals.cycles;
  });

  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close();
  });

  function makePool(withinMs = 60_000): ComputePool {
    const pool = new ComputePool({ withinMs, heapMb: 256, maxWaiting: 8, keptBytes: 2 ** 28 });
    pools.push(pool);
    return pool;
  }

  const inputOf = (passCount: number) => ({
    measurement: { passes: new Array(passCount).fill(measurement.passes[0]!) },
    simulation: SIMULATION,
    spec,
  });

  it('gives the cycles of this process, also on machines that are used again', async () => {
    const pool = makePool();
    for (let round = 0; round < 3; round++) {
      const { frames, clock } = await pool.run('simulate-frame', inputOf(1), never);
      expect([clock, frames[0]!.endCycle]).toEqual(['cycles', cycles]);
    }
  });

  it('simulates a frame while another one takes long', async () => {
    const rooms = new MachineRooms(2, ROOM_OPTIONS);
    const abort = new AbortController();
    const long = rooms.simulate(inputOf(MANY_PASSES), abort.signal, '');
    let isLongDone = false;
    const ended = long.catch(() => {}).then(() => (isLongDone = true));
    for (let round = 0; round < 2; round++) {
      const { frames } = await rooms.simulate(inputOf(1), never, '');
      expect(frames[0]!.endCycle).toBe(cycles);
    }
    expect(isLongDone).toBe(false);
    abort.abort();
    await ended;
    await rooms.close();
  });

  it('stays with the machines of a study, from row to row', async () => {
    const pool = new ComputePool(ROOM_OPTIONS); // As that of sequences and studies.
    pools.push(pool);
    let started = 0;
    const count = () => started++;
    process.on('worker', count);
    const row = { ...inputOf(1), simulation: { ...SIMULATION, chipletCount: 40 } };
    for (let i = 0; i < 3; i++) await pool.run('simulate-frame', row, never);
    process.off('worker', count);
    expect(started).toBe(1);
  });

  it('ends with the machines of a frame of many chiplets, and returns their memory', async () => {
    const pool = makePool();
    const many = { ...inputOf(1), simulation: { ...SIMULATION, chipletCount: MANY_CHIPLETS } };
    await pool.run('simulate-frame', inputOf(1), never);
    const beforeBytes = process.memoryUsage.rss();
    for (let round = 0; round < 2; round++) {
      await pool.run('simulate-frame', many, never);
      // The next computation waits for the end of the thread of the last one.
      await pool.run('simulate-frame', inputOf(1), never);
      const grownBytes = process.memoryUsage.rss() - beforeBytes;
      expect(grownBytes).toBeLessThan(MANY_CHIPLETS * 2 ** 20);
    }
  }, 120_000);

  it('says when it simulates a frame of many chiplets', async () => {
    let many = 0;
    const rooms = new MachineRooms(2, { ...ROOM_OPTIONS, onMany: () => many++ });
    const simulate = (chipletCount: number) =>
      rooms.simulate(
        { ...inputOf(1), simulation: { ...SIMULATION, chipletCount } },
        never,
        'client',
      );
    await simulate(64);
    expect(many).toBe(0);
    await simulate(65);
    expect(many).toBe(1);
    rooms.endIdle();
    expect((await rooms.simulate(inputOf(1), never, '')).frames[0]!.endCycle).toBe(cycles);
    await rooms.close();
  });

  it('stops when the frame is cancelled, and simulates the next one', async () => {
    const pool = makePool(AN_HOUR_MS);
    const abort = new AbortController();
    const long = pool.run('simulate-frame', inputOf(ENDLESS_PASSES), abort.signal);
    const next = pool.run('simulate-frame', inputOf(1), never);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    abort.abort();
    await expect(long).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    expect((await next).frames[0]!.endCycle).toBe(cycles);
  });

  it('refuses a frame that takes too long', async () => {
    const long = makePool(500).run('simulate-frame', inputOf(MANY_PASSES), never);
    await expect(long).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'simulate-frame: took longer than 500 ms',
    });
  });
});
