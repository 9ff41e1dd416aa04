/**
 * Sums of messages over time: none is lost when intervals are joined, in whatever order they come.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TrafficIntervals } from './traffic-intervals.ts';

const messages = fc.array(
  fc.record({
    chipletId: fc.nat(2),
    bytes: fc.integer({ min: 1, max: 80 }),
    cycle: fc.oneof(fc.nat(60_000), fc.nat(10_000_000)),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('traffic intervals', () => {
  it('sum all bytes of an interval, in any order of the messages', () => {
    fc.assert(
      fc.property(messages, (sent) => {
        const sum = (order: typeof sent) => {
          const intervals = new TrafficIntervals(3);
          for (const { chipletId, bytes, cycle } of order) {
            intervals.addSent(chipletId, bytes, cycle);
            intervals.addReceived(2 - chipletId, bytes, cycle);
          }
          return intervals.traffic;
        };
        const traffic = sum(sent);
        expect(sum([...sent].reverse())).toEqual(traffic);
        const { intervalCycles } = traffic;
        for (const [chiplet, own] of traffic.sent.entries()) {
          expect(own.length).toBeLessThanOrEqual(256);
          expect(traffic.received[2 - chiplet]).toEqual(own);
          for (const [interval, bytes] of own.entries()) {
            const inside = sent.filter(
              ({ chipletId, cycle }) =>
                chipletId === chiplet && Math.floor(cycle / intervalCycles) === interval,
            );
            expect(bytes).toBe(inside.reduce((total, each) => total + each.bytes, 0));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
