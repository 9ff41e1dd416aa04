import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageLink } from './message-link.ts';
import type { Delivery, Packet } from './packet-network.ts';

const LINK = { topology: 'full', bytesPerCycle: 16, latencyCycles: 10 } as const;

function packet(from: number, to: number, bytes: number, tag = 0): Packet {
  return { from, to, channel: 'request', bytes, tag };
}

function cyclesOf(deliveries: readonly Delivery[]): number[] {
  return deliveries.map(({ cycle }) => cycle);
}

describe('a packet link', () => {
  it('takes the latency and the cycles of the bytes', () => {
    const link = new MessageLink(LINK, 2);
    link.inject(packet(0, 1, 80), 100);
    expect(link.advance(115)).toEqual([]);
    expect(cyclesOf(link.advance(116))).toEqual([100 + 10 + 5]);
  });

  it('delivers a packet of one cycle after its look-ahead, and none before', () => {
    const link = new MessageLink({ ...LINK, latencyCycles: 0 }, 2);
    expect(link.lookaheadCycles).toBe(1);
    link.inject(packet(0, 1, 1), 7);
    expect(cyclesOf(link.advance(9))).toEqual([8]);
  });

  it('sends one packet at a time from a port, and receives one at a time', () => {
    const link = new MessageLink(LINK, 4);
    // Two from chiplet 0, to others; two to chiplet 3, from others.
    link.inject(packet(0, 1, 64), 0);
    link.inject(packet(0, 2, 64), 0);
    link.inject(packet(1, 3, 64), 0);
    link.inject(packet(2, 3, 64), 1);
    const arrivals = link.advance(100).map(({ packet: { from, to }, cycle }) => [from, to, cycle]);
    expect(arrivals).toEqual([
      [0, 1, 14],
      [1, 3, 14],
      [0, 2, 18],
      [2, 3, 18],
    ]);
  });

  it('gives the same deliveries in any steps, in order, each after its injection', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 80 }), fc.nat(8)), {
          maxLength: 40,
        }),
        fc.integer({ min: 1, max: 11 }),
        (packets, step) => {
          let cycle = 0;
          const sent = packets.map(([from, to, bytes, after], tag) => {
            cycle += after;
            return { packet: packet(from, to, bytes, tag), cycle };
          });
          const whole = new MessageLink(LINK, 4);
          for (const each of sent) whole.inject(each.packet, each.cycle);
          const expected = whole.advance(10_000);
          const cut = new MessageLink(LINK, 4);
          const deliveries: Delivery[] = [];
          for (let until = step; until < 10_000; until += step) {
            for (const each of sent) {
              if (each.cycle >= until - step && each.cycle < until) {
                cut.inject(each.packet, each.cycle);
              }
            }
            const found = cut.advance(until + cut.lookaheadCycles);
            for (const each of found) {
              expect(each.cycle).toBeGreaterThanOrEqual(until - step + cut.lookaheadCycles);
            }
            deliveries.push(...found);
          }
          const plain = (list: readonly Delivery[]) =>
            list.map((each) => [each.packet.tag, each.cycle]);
          expect(plain(deliveries)).toEqual(plain(expected));
          expect(deliveries).toHaveLength(packets.length);
        },
      ),
      { numRuns: 200, seed: 3 },
    );
  });
});
