import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CrosslinkModel, type TransferLabel } from './crosslink-model.ts';
import { defineInterconnect, TOPOLOGY_NAMES } from './interconnect-spec.ts';
import { accountLink } from './link-account.ts';

const STREAM: TransferLabel = { kind: 'streams', frameIndex: 0, passIndex: 0, binIndex: null };
const BIN: TransferLabel = { kind: 'bins', frameIndex: 0, passIndex: 0, binIndex: 3 };

function makeLink(topology: string, chipletCount: number) {
  const spec = defineInterconnect({ topology, bytesPerCycle: 16, latencyCycles: 5 });
  return new CrosslinkModel(spec, chipletCount);
}

describe('crosslink', () => {
  it('reaches all at once on a bus, one after the other on a ring, by own channels when full', () => {
    // 100 bytes take 7 cycles; each channel adds 5.
    const arrivals = TOPOLOGY_NAMES.map((name) => makeLink(name, 6).broadcast(STREAM, 100, 40));
    expect(arrivals).toEqual([
      [40, 52, 52, 52, 52, 52],
      [40, 52, 57, 62, 57, 52],
      [40, 52, 52, 52, 52, 52],
    ]);
  });

  it.each(TOPOLOGY_NAMES)('broadcasts from any chiplet in the same time: %s', (name) => {
    for (const count of [2, 3, 6, 7]) {
      const first = makeLink(name, count).broadcast(STREAM, 100, 40);
      for (let from = 0; from < count; from++) {
        const link = makeLink(name, count);
        const arrivals = link.broadcast(STREAM, 100, 40, from);
        expect(first.map((_, i) => arrivals[(from + i) % count])).toEqual(first);
        expect(link.transfers[0]).toMatchObject({ from, to: null });
      }
    }
  });

  it('occupies one channel on a bus, all but one of a ring in both directions, N − 1 when full', () => {
    const channels = TOPOLOGY_NAMES.map((name) => {
      const link = makeLink(name, 6);
      link.broadcast(STREAM, 100, 0);
      return link.transfers[0]!.channels.map(({ channel }) => channel);
    });
    expect(channels).toEqual([
      ['bus'],
      ['0→1', '1→2', '2→3', '0→5', '5→4'],
      ['0→1', '0→2', '0→3', '0→4', '0→5'],
    ]);
  });

  it('makes bins wait for each other on a bus, on shared channels of a ring, never when full', () => {
    const ends = TOPOLOGY_NAMES.map((name) => {
      const link = makeLink(name, 6);
      return [1, 2, 5].map((from) => link.send(BIN, from, 0, 160, 100));
    });
    expect(ends).toEqual([
      [115, 125, 135],
      // Chiplet 2 sends through 1. Its transfer starts late enough to find channel 1→0 free.
      [115, 125, 115],
      [115, 115, 115],
    ]);
  });

  it('goes the shorter way round a ring', () => {
    const link = makeLink('ring', 5);
    link.send(BIN, 4, 0, 16, 0);
    link.send(BIN, 2, 0, 16, 0);
    expect(link.transfers.map(({ channels }) => channels.map(({ channel }) => channel))).toEqual([
      ['4→0'],
      ['2→1', '1→0'],
    ]);
  });

  it('sends to one chiplet over the channels in between', () => {
    const ways = TOPOLOGY_NAMES.map((name) => {
      const link = makeLink(name, 5);
      const ends = [1, 2, 3].map((to) => link.send(STREAM, 0, to, 160, 100));
      return [ends, link.transfers.map(({ channels }) => channels.map(({ channel }) => channel))];
    });
    expect(ways).toEqual([
      [
        [115, 125, 135],
        [['bus'], ['bus'], ['bus']],
      ],
      // Chiplets 1 and 2 share channel 0→1.
      [
        [115, 130, 120],
        [['0→1'], ['0→1', '1→2'], ['0→4', '4→3']],
      ],
      [
        [115, 115, 115],
        [['0→1'], ['0→2'], ['0→3']],
      ],
    ]);
    const link = makeLink('bus', 2);
    expect([link.send(STREAM, 0, 0, 9, 3), link.send(STREAM, 0, 1, 0, 4)]).toEqual([3, 4]);
    expect(link.transfers).toEqual([]);
  });

  it('carries nothing for a single chiplet, for no bytes, or from chiplet 0 to itself', () => {
    const link = makeLink('bus', 1);
    expect(link.broadcast(STREAM, 100, 7)).toEqual([7]);
    expect(link.send(BIN, 0, 0, 100, 8)).toBe(8);
    expect(makeLink('ring', 3).broadcast(STREAM, 0, 9)).toEqual([9, 9, 9]);
    expect(link.transfers).toEqual([]);
  });

  it('has each channel carry one transfer at a time, none before its request', () => {
    const transfer = fc.record({
      from: fc.nat(6),
      bytes: fc.integer({ min: 1, max: 500 }),
      after: fc.nat(20),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...TOPOLOGY_NAMES),
        fc.array(transfer, { maxLength: 30 }),
        (topology, transfers) => {
          const link = makeLink(topology, 7);
          let cycle = 0;
          for (const { from, bytes, after } of transfers) {
            cycle += after;
            if (from === 0) link.broadcast(STREAM, bytes, cycle);
            else link.send(BIN, from, 0, bytes, cycle);
          }
          const freeByChannel = new Map<string, number>();
          for (const { channels, requestCycle, endCycle } of link.transfers) {
            for (const use of channels) {
              expect(use.startCycle).toBeGreaterThanOrEqual(
                Math.max(requestCycle, freeByChannel.get(use.channel) ?? 0),
              );
              expect(endCycle).toBeGreaterThanOrEqual(use.endCycle);
              freeByChannel.set(use.channel, use.endCycle);
            }
          }
        },
      ),
    );
  });

  it('is summed by kind, and counts occupied cycles once for any number of channels', () => {
    const link = makeLink('full', 3);
    link.broadcast(STREAM, 160, 0);
    link.send(BIN, 1, 0, 32, 100);
    link.send(BIN, 1, 0, 32, 100);
    const { bytes, cycles, transfers } = accountLink(link.transfers, [], true);
    expect({ bytes, cycles }).toEqual({ bytes: 224, cycles: 10 + 4 });
    expect(transfers.streams).toEqual({ count: 1, bytes: 160, channelCycles: 20, waitCycles: 0 });
    expect(transfers.bins).toEqual({ count: 2, bytes: 64, channelCycles: 4, waitCycles: 2 });
    expect(accountLink(link.transfers, [], false).transfers.bins.channelCycles).toBeNull();
  });
});

describe('defineInterconnect', () => {
  it('applies defaults and rejects values out of range', () => {
    expect(defineInterconnect()).toEqual({
      topology: 'bus',
      bytesPerCycle: 256,
      latencyCycles: 32,
    });
    expect(defineInterconnect({ latencyCycles: 0 }).latencyCycles).toBe(0);
    expect(() => defineInterconnect({ topology: 'star' })).toThrow(
      /'star' is not one of bus, ring/,
    );
    expect(() => defineInterconnect({ bytesPerCycle: 0 })).toThrow(/bytesPerCycle: 0/);
    expect(() => defineInterconnect({ latencyCycles: 1.5 })).toThrow(/latencyCycles: 1.5/);
  });
});
