import { describe, expect, it } from 'vitest';
import type { Report } from '../api/types.ts';
import { busiestChannels, describePlacement, groupTraffic, totalLines } from './remote-figures.ts';

describe('groupTraffic', () => {
  it('keeps up to 64 chiplets apart', () => {
    const bytes = [
      [0, 5, 1],
      [2, 0, 7],
      [3, 4, 0],
    ];
    const matrix = groupTraffic(bytes);
    expect(matrix.bytes).toEqual(bytes);
    expect(matrix.maxBytes).toBe(7);
    expect(matrix.groups.map(({ first, last }) => [first, last])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('adds up neighbors if there are more, without losing a byte', () => {
    for (const count of [65, 100, 256]) {
      const bytes = Array.from({ length: count }, (_, from) =>
        Array.from({ length: count }, (_to, to) => (from === to ? 0 : from + 1)),
      );
      const { groups, bytes: sums } = groupTraffic(bytes);
      expect(groups.length).toBeLessThanOrEqual(64);
      expect(groups[0]!.first).toBe(0);
      expect(groups.at(-1)!.last).toBe(count - 1);
      const total = (rows: readonly (readonly number[])[]) =>
        rows.flat().reduce((sum, each) => sum + each, 0);
      expect(total(sums)).toBe(total(bytes));
    }
  });
});

describe('figures of remote memory', () => {
  it('name classes of the same placement together', () => {
    const placement = {
      textures: 'interleaved',
      buffers: 'interleaved',
      streams: 'home',
      targets: 'kept',
      framebuffer: 'kept',
    } as const;
    expect(describePlacement(placement)).toBe(
      'textures, buffers interleaved; streams home; targets, framebuffer kept',
    );
  });

  it('have the hit rate of all chiplets, or none without reads', () => {
    const own = { wanted: 10, cached: 6, merged: 1, fetched: 3, hitRate: 0.6 };
    const none = { wanted: 0, cached: 0, merged: 0, fetched: 0, hitRate: null };
    const remote = { reads: [], writes: [], bytes: [], textureBytes: [] };
    expect(totalLines({ ...remote, lines: [own, none, { ...own, wanted: 2, cached: 0 }] })).toEqual(
      { wanted: 12, cached: 6, fetched: 6, hitRate: 0.5 },
    );
    expect(totalLines({ ...remote, lines: [none] }).hitRate).toBeNull();
  });

  it('have the channels of the link, the busiest first', () => {
    const channels = [
      { channel: '1→0', packets: 2, bytes: 100, busyCycles: 10 },
      { channel: '0→1', packets: 1, bytes: 900, busyCycles: 90 },
    ];
    const report = { link: { channels }, totals: { cycles: 200 } } as unknown as Report;
    expect(busiestChannels(report).map(({ channel, busyShare }) => [channel, busyShare])).toEqual([
      ['0→1', 0.45],
      ['1→0', 0.05],
    ]);
    expect(busiestChannels({ ...report, totals: { ...report.totals, cycles: null } })).toEqual([]);
  });
});
