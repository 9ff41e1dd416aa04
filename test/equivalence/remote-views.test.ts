/**
 * Figures of the link and of remote memory in reports and timelines, each against the sum that it
 * must have.
 */
import type { Counters, Report } from '@tessera/frame';
import { PLACEMENTS } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import {
  defineInterconnect,
  LINK_TOPOLOGY_NAMES,
  parsePlacement,
  type TraceEvent,
} from '@tessera/multi-chiplet';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';

const EXACT = { timing: 'cycle', coupling: 'exact', grid: { kind: 'bins', count: 12 } } as const;
const TERRAIN = terrainFrame({ widthPx: 192, heightPx: 128, triangles: 1152, seed: 3 });
/** Header of a packet. */
const HEADER_BYTES = 16;
const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

async function render(options: Partial<RenderOptions>, chipletCount = 4) {
  const { report, timeline } = await new LocalGpu({ chipletCount }).render(TERRAIN, {
    ...EXACT,
    ...options,
  });
  return { report, events: timeline!.traceEvents };
}

/** Returns the intervals of each thread of the link. */
function linkThreads(events: readonly TraceEvent[], chipletCount: number) {
  const own = events.filter(({ ph, pid }) => ph === 'X' && pid === chipletCount);
  return Map.groupBy(own, ({ tid }) => tid);
}

describe('link of a report', () => {
  it.each(LINK_TOPOLOGY_NAMES)('has the bytes and cycles of each channel: %s', async (topology) => {
    for (const chipletCount of [2, 6]) {
      const interconnect = defineInterconnect({ topology });
      const { report } = await render({ interconnect }, chipletCount);
      const { channels, transfers, cycles } = report.link;
      expect(new Set(channels.map(({ channel }) => channel)).size).toBe(channels.length);
      const channelCycles = sum(Object.values(transfers).map((kind) => kind.channelCycles!));
      // Cycles of a transfer are rounded up, and those of a channel once.
      const busy = sum(channels.map(({ busyCycles }) => busyCycles!));
      expect(busy).toBeLessThanOrEqual(channelCycles);
      expect(busy).toBeGreaterThan(0.95 * channelCycles);
      for (const { bytes, busyCycles, packets } of channels) {
        expect(packets).toBeGreaterThan(0);
        expect(busyCycles).toBeGreaterThanOrEqual(bytes / report.link.bytesPerCycle);
        expect(busyCycles).toBeLessThanOrEqual(cycles!);
      }
      const bytesOf = (name: string) => {
        const { bytes = 0, packets = 0 } = channels.find(({ channel }) => channel === name) ?? {};
        return bytes - HEADER_BYTES * packets;
      };
      // All pixels of other chiplets enter chiplet 0 through its port.
      expect(bytesOf('network→0')).toBe(transfers.bins.bytes);
      if (topology === 'bus') expect(bytesOf('bus')).toBe(report.link.bytes);
    }
  });

  it('has no cycles without cycle timing', async () => {
    const gpu = new LocalGpu({ chipletCount: 2 });
    const { report } = await gpu.render(TERRAIN, { timing: 'functional' });
    expect(report.link.channels.length).toBeGreaterThan(0);
    for (const { busyCycles } of report.link.channels) expect(busyCycles).toBeNull();
    expect(report.link.remote).toBeNull();
  });
});

describe('remote memory', () => {
  const counted = (report: Report, name: keyof Counters) =>
    report.chiplets.map(({ counters }) => counters[name] ?? 0);

  it.each(PLACEMENTS)('has hit rates and traffic over time: %s', async (word) => {
    const { report, events } = await render({ placement: parsePlacement(word) });
    const traffic = events.filter(({ name }) => name === 'remote bytes per cycle');
    const { remote } = report.link;
    if (word === 'replicated') {
      expect(remote).toBeNull();
      expect(traffic).toEqual([]);
      return;
    }
    expect(remote!.lines.map(({ fetched }) => fetched)).toEqual(remote!.reads);
    expect(remote!.lines.map(({ cached }) => cached)).toEqual(counted(report, 'remote.lineHits'));
    for (const { wanted, cached, merged, fetched, hitRate } of remote!.lines) {
      expect(wanted).toBe(cached + merged + fetched);
      expect(hitRate).toBe(wanted === 0 ? null : cached / wanted);
    }
    expect(sum(remote!.lines.map(({ cached }) => cached))).toBeGreaterThan(0);
    // Transfers and messages share the bus. The header of a message is that of its packet.
    const messages =
      2 * sum([...remote!.reads, ...remote!.writes, ...counted(report, 'remote.pagesAsked')]);
    const bus = report.link.channels.find(({ channel }) => channel === 'bus')!;
    expect(bus.bytes).toBe(
      report.link.bytes + sum(remote!.bytes.flat()) + HEADER_BYTES * (bus.packets - messages),
    );
    // The integral of the counters is the number of bytes, for the sender and for the receiver.
    for (const [id, row] of remote!.bytes.entries()) {
      const own = traffic.filter(({ pid }) => pid === id);
      const integral = (name: 'sent' | 'received') =>
        sum(
          own
            .slice(0, -1)
            .map(({ ts, args }, i) => Number(args[name]) * 1000 * (own[i + 1]!.ts! - ts!)),
        );
      expect(integral('sent')).toBeCloseTo(sum(row), 3);
      expect(integral('received')).toBeCloseTo(sum(remote!.bytes.map((to) => to[id]!)), 3);
      expect(own.at(-1)!.args).toEqual({ sent: 0, received: 0 });
    }
  });

  it('is in the report of a sequence too', async () => {
    const gpu = new LocalGpu({ chipletCount: 3 });
    const frames = Array.from({ length: 2 }, () => async () => readPassesFrame());
    const placement = parsePlacement('interleaved');
    const options = { ...EXACT, placement, onFrame: () => {} };
    const { report } = await gpu.renderSequence(frames, options);
    const { remote, channels } = report.link;
    expect(remote!.lines.map(({ fetched }) => fetched)).toEqual(remote!.reads);
    expect(channels.map(({ channel }) => channel)).toContain('bus');
  });
});

describe('link of a timeline', () => {
  it.each(['bus', 'ring'])('has threads without overlaps: %s', async (topology) => {
    const options = { interconnect: defineInterconnect({ topology, bytesPerCycle: 16 }) };
    const { events, report } = await render(options);
    const threads = linkThreads(events, 4);
    for (const own of threads.values()) {
      const starts = [...own].sort((a, b) => a.ts! - b.ts!);
      for (let i = 1; i < starts.length; i++) {
        const before = starts[i - 1]!;
        expect(starts[i]!.ts! + 1e-9).toBeGreaterThanOrEqual(before.ts! + before.dur!);
      }
    }
    const packets = sum(report.link.channels.map((each) => each.packets));
    const uses = sum([...threads.values()].map(({ length }) => length));
    expect(uses).toBeGreaterThan(0);
    expect(uses).toBeLessThanOrEqual(packets);
    // Otherwise nothing would be proved: some transfers share a channel.
    expect(threads.size).toBeGreaterThan(report.link.channels.length);
  });
});
