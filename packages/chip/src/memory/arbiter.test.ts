import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordRing } from '../records/record-ring.ts';
import { NEVER, Schedule } from '../sim/schedule.ts';
import { VisibilityPriority } from '../sim/visibility-priority.ts';
import { makeTimingSpec } from '../testing/make-timing-spec.ts';
import { Arbiter, NO_GRANT } from './arbiter.ts';
import { AskingPorts } from './asking-ports.ts';
import { ClientPort } from './client-port.ts';
import { Interleave } from './interleave.ts';
import { PageWalkerModule } from './page-walker-module.ts';

const BURST = 4;

function makePorts(priorities: readonly number[]) {
  const asking = new AskingPorts(1);
  const schedule = new Schedule(priorities.length + 1);
  const walker = new PageWalkerModule({
    id: 0,
    name: 'walker',
    schedule,
    spec: makeTimingSpec({ tlbWays: 1, pageBytes: 4096 }),
    ports: [],
    heads: new RecordRing(1, 64),
  });
  const ports = priorities.map(
    (client, i) =>
      new ClientPort({
        client,
        schedule,
        module: i + 1,
        memoryModule: 0,
        capacity: 64,
        burstLines: BURST,
        ticketCount: 4,
        asking,
        slices: new Interleave(64, 1),
        walker,
        isTranslated: false,
      }),
  );
  return { ports, asking, priority: new VisibilityPriority(schedule) };
}

describe('arbiter', () => {
  it('grants the asking client of highest priority, and never breaks a burst', () => {
    const step = fc.record({ port: fc.nat(3), lines: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(
        fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
        fc.array(fc.array(step, { maxLength: 2 }), { maxLength: 60 }),
        (priorities, cycles) => {
          const { ports, asking, priority } = makePorts(priorities);
          const arbiter = new Arbiter({
            ...{ ports, asking, priority },
            sliceCount: 1,
            ageingCycles: NEVER,
          });
          let granted = NO_GRANT;
          let left = 0;
          for (const [cycle, steps] of cycles.entries()) {
            if (granted === NO_GRANT) {
              const asking = ports.filter(({ readyCount, askingSince }) => {
                return readyCount > 0 && askingSince <= cycle;
              });
              granted = arbiter.grant(0, cycle);
              const most = Math.max(-1, ...asking.map(({ client }) => client));
              expect(granted === NO_GRANT).toBe(asking.length === 0);
              if (granted !== NO_GRANT) {
                expect(ports[granted]!.client).toBe(most);
                left = ports[granted]!.burstLength();
                expect(left).toBeLessThanOrEqual(BURST);
              }
            }
            if (granted !== NO_GRANT) {
              ports[granted]!.take(cycle);
              if (--left === 0) granted = NO_GRANT;
            }
            for (const { port, lines } of steps) {
              if (!ports[port]!.hasRoom(lines, cycle)) continue;
              for (let line = 0; line < lines; line++) ports[port]!.write(line, cycle);
              ports[port]!.endBurst(cycle);
            }
          }
        },
      ),
      { numRuns: 200, seed: 54 },
    );
  });

  /**
   * Simulates two clients that always have a request. Returns which of them is granted in each of
   * `cycles`.
   */
  function contend(priorities: readonly number[], ageingCycles: number, cycles: number) {
    const { ports, asking, priority } = makePorts(priorities);
    const arbiter = new Arbiter({
      ...{ ports, asking, priority },
      sliceCount: 1,
      ageingCycles,
    });
    const grants: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      for (const port of ports) {
        if (!port.isEmpty) continue;
        port.write(1, cycle);
        port.endBurst(cycle);
      }
      const granted = arbiter.grant(0, cycle);
      grants.push(granted);
      if (granted !== NO_GRANT) ports[granted]!.take(cycle);
    }
    return { grants: grants.slice(1), ports };
  }

  it('lets a low priority starve, without aging', () => {
    const { grants } = contend([1, 1, 0], NEVER, 200);
    expect(grants).not.toContain(2);
    expect(grants).not.toContain(NO_GRANT);
  });

  it('bounds the wait of a low priority, with aging, and measures it', () => {
    const { grants, ports } = contend([1, 1, 1, 0], 20, 400);
    expect(grants).toContain(3);
    expect(ports[3]!.longestWaitCycles).toBeGreaterThanOrEqual(20);
    expect(ports[3]!.longestWaitCycles).toBeLessThanOrEqual(23);
    const starved = contend([1, 1, 1, 0], NEVER, 400);
    expect(starved.grants).not.toContain(3);
  });

  it('lets clients of one priority take turns', () => {
    const { grants } = contend([2, 2, 2], NEVER, 31);
    for (const port of [0, 1, 2]) {
      expect(grants.filter((granted) => granted === port)).toHaveLength(10);
    }
  });
});
