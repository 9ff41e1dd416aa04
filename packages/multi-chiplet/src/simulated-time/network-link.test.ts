import { describe, expect, it } from 'vitest';
import type { TransferLabel } from '../interconnect/crosslink-model.ts';
import { defineInterconnect, TOPOLOGY_NAMES } from '../interconnect/interconnect-spec.ts';
import { accountLink } from '../interconnect/link-account.ts';
import { EventQueue } from './event-queue.ts';
import { NetworkTransfers } from './network-link.ts';

const label = (kind: TransferLabel['kind']): TransferLabel => ({
  kind,
  frameIndex: 0,
  passIndex: null,
  binIndex: null,
});

function makeLink(topology: string, chipletCount: number) {
  const events = new EventQueue();
  const interconnect = defineInterconnect({ topology, bytesPerCycle: 16, latencyCycles: 5 });
  const link = new NetworkTransfers({ interconnect, chipletCount, events });
  const finish = () => {
    while (link.nextCycle < Number.POSITIVE_INFINITY) link.advance();
    while (events.nextCycle !== undefined) events.applyNext();
  };
  return { link, finish };
}

describe('transfers over the packet network', () => {
  it('arrive after their latency and bytes, with the header of each packet', () => {
    const { link, finish } = makeLink('full', 4);
    const arrivals: number[] = [];
    link.send(label('bins'), { from: 3, to: 0 }, 16_384, 100, (_id, cycle) => arrivals.push(cycle));
    link.send(label('bins'), { from: 0, to: 0 }, 16_384, 100, (_id, cycle) => arrivals.push(cycle));
    expect(arrivals).toEqual([100]);
    finish();
    // 4 packets of 4,112 bytes from cycle 101 on, over two routers of one cycle and one link.
    expect(arrivals).toEqual([100, 101 + (4 * 4112) / 16 + 5 + 2]);
  });

  it('share the port of chiplet 0, whatever joins the chiplets', () => {
    for (const topology of TOPOLOGY_NAMES) {
      const { link, finish } = makeLink(topology, 8);
      const arrivals: number[] = [];
      for (let from = 1; from < 8; from++) {
        link.send(label('bins'), { from, to: 0 }, 409_600, 0, (_id, cycle) => arrivals.push(cycle));
      }
      finish();
      const portCycles = (7 * 100 * 4112) / 16;
      expect(Math.max(...arrivals)).toBeGreaterThan(portCycles);
      expect(Math.max(...arrivals)).toBeLessThan(portCycles * 1.01 + 600);
      const { bytes, transfers } = accountLink(link.transfers, [], true);
      expect([bytes, transfers.bins.count]).toEqual([7 * 409_600, 7]);
      const port = link.transfers.flatMap(({ channels }) =>
        channels.filter(({ channel }) => channel === 'network→0'),
      );
      expect(port.reduce((sum, use) => sum + use.busyCycles!, 0)).toBe(portCycles);
    }
  });

  it('reach all others once, and chiplet 0 at once; those of 0 bytes all', () => {
    const { link, finish } = makeLink('ring', 5);
    const arrivals = new Map<number, number>();
    link.broadcast(label('streams'), 160, 40, (id, cycle) => arrivals.set(id, cycle));
    expect([...arrivals]).toEqual([[0, 40]]);
    finish();
    // 176 bytes take 11 cycles; each link adds 5 and each router 1.
    const hops = (count: number) => 41 + 11 + count * 5 + count + 1;
    expect([1, 2, 3, 4].map((id) => arrivals.get(id))).toEqual([1, 2, 2, 1].map(hops));
    expect(link.transfers).toHaveLength(1);
    const empty: number[] = [];
    link.broadcast(label('streams'), 0, 500, (id, cycle) => empty.push(id, cycle));
    expect(empty).toEqual([0, 500, 1, 500, 2, 500, 3, 500, 4, 500]);
  });

  it('overtake resources at chiplet 0 if chiplets wait for them', () => {
    const { link, finish } = makeLink('bus', 4);
    const arrivals: string[] = [];
    link.broadcast(label('resources'), 100_000, 0, (id) => id > 0 && arrivals.push(`resources`));
    link.broadcast(label('streams'), 100, 50, (id) => id > 0 && arrivals.push(`stream`));
    finish();
    expect(arrivals.slice(0, 3)).toEqual(['stream', 'stream', 'stream']);
  });
});
