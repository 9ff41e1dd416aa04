/** Figures of remote memory and of the channels of the link, from a report. */
import type { Report } from '../api/types.ts';

/** Chiplets from `first` to `last`, shown as one row and one column. */
export interface ChipletGroup {
  readonly first: number;
  readonly last: number;
}

/** Bytes of messages by sender and receiver, each a group of chiplets. */
export interface TrafficMatrix {
  readonly groups: readonly ChipletGroup[];
  /** Bytes by group of the sender and group of the receiver. */
  readonly bytes: readonly (readonly number[])[];
  /** Largest entry. */
  readonly maxBytes: number;
}

/** Upper bound on the rows of a matrix: a browser draws this many cells at once. */
const MAX_GROUPS = 64;

/** Returns the matrix of a frame, with neighbors together if there are many chiplets. */
export function groupTraffic(bytes: readonly (readonly number[])[]): TrafficMatrix {
  const size = Math.ceil(bytes.length / MAX_GROUPS);
  const groups = Array.from({ length: Math.ceil(bytes.length / size) }, (_, group) => ({
    first: group * size,
    last: Math.min(bytes.length, (group + 1) * size) - 1,
  }));
  const sums = groups.map(() => groups.map(() => 0));
  for (const [from, row] of bytes.entries()) {
    const own = sums[Math.floor(from / size)]!;
    for (const [to, count] of row.entries()) own[Math.floor(to / size)]! += count;
  }
  return { groups, bytes: sums, maxBytes: Math.max(...sums.flat()) };
}

/** Returns the placement of each class in words: `textures, buffers interleaved; streams home`. */
export function describePlacement(placement: Report['placement']): string {
  const byWord = Map.groupBy(Object.entries(placement), ([, word]) => word);
  return [...byWord]
    .map(([word, classes]) => `${classes.map(([name]) => name).join(', ')} ${word}`)
    .join('; ');
}

/** Sum of the reads of remote lines of all chiplets. */
export function totalLines({ lines }: NonNullable<Report['link']['remote']>) {
  const sum = (of: (own: (typeof lines)[number]) => number) =>
    lines.reduce((total, own) => total + of(own), 0);
  const [wanted, cached, fetched] = [
    sum((own) => own.wanted),
    sum((own) => own.cached),
    sum((own) => own.fetched),
  ];
  return { wanted, cached, fetched, hitRate: wanted === 0 ? null : cached / wanted };
}

/** Channel of the link with the share of the frame's cycles in which it was busy. */
export type ChannelShare = Report['link']['channels'][number] & { readonly busyShare: number };

/** Returns the channels of a frame with cycle timing, the busiest first. */
export function busiestChannels({ link, totals }: Report): readonly ChannelShare[] {
  const cycles = totals.cycles ?? 0;
  if (cycles === 0) return [];
  return link.channels
    .map((channel) => ({ ...channel, busyShare: (channel.busyCycles ?? 0) / cycles }))
    .sort((a, b) => b.busyShare - a.busyShare);
}
