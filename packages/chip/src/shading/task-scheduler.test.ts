import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SLOT_POLICIES } from '../table/spec-choices.ts';
import { makeTimingSpec, type TimingSpecValues } from '../testing/make-timing-spec.ts';
import { FRAGMENT, VERTEX } from './slot-policy.ts';
import { SLOT_STATE, TaskScheduler } from './task-scheduler.ts';

const NEVER = 0x7fff_ffff;
/** Parameters of the default chiplet, with a floor of one ID. */
const DEFAULTS: Partial<TimingSpecValues> = {
  smCount: 4,
  warpSlotsPerSm: 8,
  warpIdFloor: 1,
  warpIdPlenty: 3,
  warpIdLockCycles: 2,
  schedulingSeed: 1,
  slotPolicy: 'pixel-biased',
};
const make = (overrides: Partial<TimingSpecValues> = {}) =>
  new TaskScheduler(makeTimingSpec({ ...DEFAULTS, ...overrides }));

/** Allocates IDs of a type until only `free` are left, in consecutive cycles from `cycle`. */
function takeUntilFree(scheduler: TaskScheduler, type: number, free: number): void {
  const queue = scheduler.queues[type]!;
  for (let guard = 0; queue.freeCount > free && guard < 100; guard++) {
    scheduler.serve(guard * 10, type === VERTEX, type === FRAGMENT, NEVER);
  }
  expect(queue.freeCount).toBe(free);
}

/** Returns a scheduler that has not balanced yet, with the given free IDs of each type. */
function makeWithFree(
  vertexFree: number,
  fragmentFree: number,
  overrides: Partial<TimingSpecValues> = {},
): TaskScheduler {
  // Blocks have one multiprocessor each, so both types can get an ID in the same cycle.
  const scheduler = make({ smCount: 2, warpSlotsPerSm: 8, warpIdLayout: 'blocks', ...overrides });
  // The other type has few free IDs only at the end, so the types take turns.
  for (let cycle = 0; cycle < 400; cycle += 10) {
    const [vertex, fragment] = scheduler.queues;
    const isVertex = vertex.freeCount > vertexFree;
    const isFragment = fragment.freeCount > fragmentFree;
    if (!isVertex && !isFragment) break;
    scheduler.serve(cycle, isVertex, isFragment, NEVER);
  }
  expect(scheduler.queues.map(({ freeCount }) => freeCount)).toEqual([vertexFree, fragmentFree]);
  expect([...scheduler.moves]).toEqual([0, 0]);
  scheduler.serve(990, false, false, NEVER);
  return scheduler;
}

describe('pre-allocation', () => {
  it('gives each type half of the IDs, interleaved over the multiprocessors or in blocks', () => {
    const smsOf = (layout: 'interleaved' | 'blocks') => {
      const scheduler = make({ warpIdLayout: layout });
      return scheduler.queues.map((queue) =>
        Array.from({ length: 16 }, () => scheduler.smOf(queue.allocate())),
      );
    };
    const turns = Array.from({ length: 16 }, (_, i) => i % 4);
    expect(smsOf('interleaved')).toEqual([turns, turns]);
    expect(smsOf('blocks')).toEqual([
      [...Array<number>(8).fill(0), ...Array<number>(8).fill(1)],
      [...Array<number>(8).fill(2), ...Array<number>(8).fill(3)],
    ]);
  });

  it('gives both types an ID in one cycle, but one warp a cycle to a multiprocessor', () => {
    const blocks = make({ warpIdLayout: 'blocks' });
    blocks.serve(0, true, true, NEVER);
    expect([...blocks.grants]).toEqual([0, 16]);
    const interleaved = make({ slotPolicy: 'vertex-first' });
    expect(interleaved.serve(0, true, true, NEVER)).toBe(1);
    expect([...interleaved.grants]).toEqual([0, -1]);
    interleaved.serve(1, true, true, NEVER);
    expect(interleaved.grants[FRAGMENT]).toBe(4);
  });
});

describe('load balancing', () => {
  it('moves one ID when one type has one left and the other plenty, and locks for its cycles', () => {
    const scheduler = makeWithFree(1, 5);
    expect(scheduler.serve(1000, true, false, NEVER)).toBe(1002);
    expect([...scheduler.moves]).toEqual([1, 0]);
    expect([...scheduler.grants]).toEqual([-1, -1]);
    expect(scheduler.isLockedAt(1001)).toBe(true);
    scheduler.serve(1001, true, true, NEVER);
    expect([...scheduler.grants]).toEqual([-1, -1]);
    scheduler.serve(1002, true, false, NEVER);
    expect(scheduler.grants[VERTEX]).toBeGreaterThanOrEqual(0);
    expect(scheduler.lockCycles).toBe(2);
    expect(scheduler.waitCycles[VERTEX]).toBe(2);
  });

  it('moves none below plenty, none below the floor, none for a type that does not ask', () => {
    const free = (vertex: number, fragment: number, floor: number, asks: boolean) => {
      const scheduler = makeWithFree(vertex, fragment, { warpIdFloor: floor });
      scheduler.serve(1000, asks, false, NEVER);
      return scheduler.moves[VERTEX];
    };
    expect(free(1, 3, 7, true)).toBe(1);
    expect(free(1, 2, 7, true)).toBe(0);
    expect(free(1, 3, 8, true)).toBe(0);
    expect(free(1, 3, 7, false)).toBe(0);
  });

  // Columns: policy, vertices request, fragments request, IDs moved to vertices, to fragments.
  it.each([
    ['pixel-biased', true, true, 0, 0],
    ['pixel-biased', true, false, 0, 0],
    ['pixel-biased', false, true, 0, 1],
    ['vertex-first', true, true, 1, 0],
    ['vertex-first', true, false, 1, 0],
    ['vertex-first', false, true, 0, 0],
    ['fair-random', true, false, 1, 0],
    ['fair-random', false, true, 0, 1],
  ] as const)('%s, both types have one ID left, vertices ask: %s, fragments ask: %s', (...row) => {
    const [slotPolicy, asksVertex, asksFragment, toVertex, toFragment] = row;
    const scheduler = makeWithFree(1, 1, { slotPolicy });
    scheduler.serve(1000, asksVertex, asksFragment, NEVER);
    expect([...scheduler.moves]).toEqual([toVertex, toFragment]);
  });

  it('reads case 3 the other way when told so', () => {
    const scheduler = makeWithFree(1, 1, { fragmentTakesLastId: true });
    scheduler.serve(1000, true, true, NEVER);
    expect([...scheduler.moves]).toEqual([0, 1]);
  });

  it('fair-random: first come, by the seed when both come at once', () => {
    const early = makeWithFree(1, 1, { slotPolicy: 'fair-random', warpIdFloor: 8 });
    early.serve(1000, false, true, NEVER);
    expect([...early.moves], 'at the floor').toEqual([0, 0]);
    const winners = Array.from({ length: 40 }, (_, schedulingSeed) => {
      const scheduler = makeWithFree(1, 1, { slotPolicy: 'fair-random', schedulingSeed });
      scheduler.serve(1000, true, true, NEVER);
      return scheduler.moves[VERTEX]!;
    });
    const vertexWins = winners.reduce((sum, wins) => sum + wins, 0);
    expect(vertexWins).toBeGreaterThan(8);
    expect(vertexWins).toBeLessThan(32);
  });

  it('videocore hands on any free slot, vertices first; gcn keeps the last one for fragments', () => {
    const videocore = makeWithFree(0, 1, { slotPolicy: 'videocore' });
    videocore.serve(1000, true, true, NEVER);
    expect([...videocore.moves]).toEqual([1, 0]);
    const gcn = makeWithFree(0, 1, { slotPolicy: 'gcn' });
    gcn.serve(1000, true, false, NEVER);
    expect([...gcn.moves]).toEqual([0, 0]);
    const own = makeWithFree(1, 0, { slotPolicy: 'gcn' });
    own.serve(1000, true, false, NEVER);
    expect(own.grants[VERTEX]).toBe(-1);
    own.serve(1010, true, true, NEVER);
    expect([...own.moves]).toEqual([0, 1]);
  });
});

describe('release', () => {
  it('is in the order of allocation: a warp that is done early keeps its ID', () => {
    const scheduler = make();
    takeUntilFree(scheduler, VERTEX, 13);
    const [vertex] = scheduler.queues;
    scheduler.finish(8, 500);
    expect(vertex.freeCount).toBe(13);
    scheduler.finish(0, 510);
    expect(vertex.freeCount).toBe(15);
    expect(scheduler.countSlotCycles(SLOT_STATE.unreleased, 510)).toBe(10);
    expect(() => scheduler.finish(0, 511)).toThrowError('holds no warp');
  });
});

describe('release with serial frees', () => {
  it('frees one ID of each type per cycle', () => {
    const scheduler = make({ hasSerialWarpIdFrees: true });
    takeUntilFree(scheduler, VERTEX, 13);
    const [vertex] = scheduler.queues;
    for (const id of [0, 8, 16]) expect(scheduler.finish(id, 500)).toBe(id === 0);
    expect(vertex.freeCount).toBe(13);
    for (const [cycle, free] of [14, 15, 16].entries()) {
      expect(scheduler.serve(500 + cycle, false, false, NEVER)).toBe(
        free === 16 ? NEVER : 501 + cycle,
      );
      expect(vertex.freeCount).toBe(free);
    }
  });

  it('waits for the end of a lock', () => {
    const spec = { hasSerialWarpIdFrees: true, warpIdLockCycles: 3 };
    const scheduler = makeWithFree(1, 1, { ...spec, slotPolicy: 'vertex-first' });
    expect(scheduler.serve(1000, true, true, NEVER)).toBe(1003);
    const [vertex] = scheduler.queues;
    const [before, oldest] = [vertex.freeCount, vertex.oldest()];
    scheduler.finish(oldest, 1001);
    expect(scheduler.serve(1001, false, false, NEVER)).toBe(1003);
    expect(vertex.freeCount).toBe(before);
    scheduler.serve(1003, false, false, NEVER);
    expect(vertex.freeCount).toBe(before + 1);
  });
});

describe('with any policy, parameters and demand', () => {
  const anySpec = fc.record({
    slotPolicy: fc.constantFrom(...SLOT_POLICIES),
    warpIdLayout: fc.constantFrom('interleaved' as const, 'blocks' as const),
    warpIdFloor: fc.nat(16),
    warpIdPlenty: fc.integer({ min: 2, max: 6 }),
    warpIdLockCycles: fc.integer({ min: 1, max: 4 }),
    fragmentTakesLastId: fc.boolean(),
    schedulingSeed: fc.nat(1000),
  });
  // Per cycle: the types that request an ID, and the ID in use whose warp finishes.
  const anyDemand = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(60)), {
    minLength: 50,
    maxLength: 400,
  });

  it('IDs stay a permutation, types stay at the floor, IDs are freed in order, a lock moves one', () => {
    fc.assert(
      fc.property(anySpec, anyDemand, (spec, demand) => {
        const scheduler = make(spec);
        const given: [number[], number[]] = [[], []];
        const owners = new Int32Array(32).fill(-1);
        const running: number[] = [];
        let lockEnd = 0;
        let moved = 0;
        for (const [cycle, [asksVertex, asksFragment, done]] of demand.entries()) {
          if (done < running.length) scheduler.finish(running.splice(done, 1)[0]!, cycle);
          scheduler.serve(cycle, asksVertex, asksFragment, NEVER);
          // 1. At most one move per lock, and no allocation meanwhile.
          const moves = scheduler.moves[VERTEX]! + scheduler.moves[FRAGMENT]!;
          expect(moves - moved).toBeLessThanOrEqual(1);
          if (moves > moved) {
            expect(cycle).toBeGreaterThanOrEqual(lockEnd);
            lockEnd = cycle + spec.warpIdLockCycles;
            moved = moves;
          }
          for (const type of [VERTEX, FRAGMENT]) {
            const id = scheduler.grants[type]!;
            if (id < 0) continue;
            expect(cycle).toBeGreaterThanOrEqual(lockEnd);
            expect(running).not.toContain(id);
            given[type]!.push(id);
            owners[id] = type;
            running.push(id);
          }
          // 2. Free and busy IDs add up to all IDs. No type is below the floor.
          const [vertex, fragment] = scheduler.queues;
          expect(vertex.ownedCount + fragment.ownedCount).toBe(32);
          expect(Math.min(vertex.ownedCount, fragment.ownedCount)).toBeGreaterThanOrEqual(
            spec.warpIdFloor,
          );
          // 3. IDs are freed in the order of allocation.
          for (const type of [VERTEX, FRAGMENT]) {
            const queue = scheduler.queues[type]!;
            const order = given[type]!;
            if (queue.busyCount > 0)
              expect(queue.oldest()).toBe(order[order.length - queue.busyCount]);
          }
        }
        // 4. At the end, every ID is free exactly once.
        for (const id of running) scheduler.finish(id, demand.length);
        const ids = scheduler.queues.flatMap((queue) =>
          Array.from({ length: queue.freeCount }, () => queue.allocate()),
        );
        expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, id) => id));
        const slotCycles = Object.values(SLOT_STATE).map((state) =>
          scheduler.countSlotCycles(state, demand.length),
        );
        expect(slotCycles.reduce((sum, cycles) => sum + cycles)).toBe(32 * demand.length);
        expect(scheduler.lockCycles).toBe(moved * spec.warpIdLockCycles);
      }),
      { numRuns: 60, seed: 41 },
    );
  });
});
