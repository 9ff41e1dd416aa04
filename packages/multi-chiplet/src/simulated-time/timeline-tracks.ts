/** Counters and passes of a timeline: use of the parts of each chiplet, of the link, and passes. */
import type { ActivityTracks } from '@tessera/frame';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import { usesByChannel } from './channel-tracks.ts';
import type { SimulatedFrames, SimulatedPass } from './simulated-frames.ts';
import type { TraceEvent } from './timeline.ts';

/** Cycles per microsecond of the trace. */
export const CYCLES_PER_US = 1000;

/** Interval of a pass of a frame. */
export interface TracedPass {
  readonly name: string;
  readonly startCycle: number;
  readonly endCycle: number;
  readonly bins: number;
}

/**
 * Yields the counters of a chiplet. A value is the mean of its interval, and holds up to the next
 * one. Intervals without an access of the cache have no hit rate, so the last one holds.
 *
 * @param pid Process of the chiplet.
 */
export function* chipletCounters(tracks: ActivityTracks, pid: number): Generator<TraceEvent, void> {
  let start = 0;
  for (const [index, end] of tracks.endCycles.entries()) {
    const mean = (sums: readonly number[]) => sums[index]! / (end - start);
    yield counter('memory bytes per cycle', pid, start, {
      read: mean(tracks.bytesRead),
      written: mean(tracks.bytesWritten),
    });
    yield counter('warp slots in use', pid, start, {
      vertex: mean(tracks.vertexSlotCycles),
      fragment: mean(tracks.fragmentSlotCycles),
    });
    const hits = tracks.l2Hits[index]!;
    const accesses = hits + tracks.l2Misses[index]!;
    if (accesses > 0) yield counter('L2 hit rate', pid, start, { rate: hits / accesses });
    start = end;
  }
  yield counter('memory bytes per cycle', pid, start, { read: 0, written: 0 });
  yield counter('warp slots in use', pid, start, { vertex: 0, fragment: 0 });
}

/**
 * Yields the bytes per cycle of each channel. A transfer counts with its mean rate from its first
 * to its last cycle on the channel. Two transfers may share a cycle, whose value is then their sum
 * and may exceed the rate of the channel.
 *
 * @param pid Process of the link.
 */
export function* linkCounters(
  transfers: readonly Transfer[],
  pid: number,
): Generator<TraceEvent, void> {
  for (const [channel, uses] of usesByChannel(transfers)) {
    const changes = new Map<number, number>();
    const add = (cycle: number, rate: number) =>
      changes.set(cycle, (changes.get(cycle) ?? 0) + rate);
    for (const { startCycle, endCycle, transfer } of uses) {
      const cycles = endCycle - startCycle;
      if (cycles <= 0) continue;
      add(startCycle, transfer.bytes / cycles);
      add(endCycle, -transfer.bytes / cycles);
    }
    let rate = 0;
    for (const [cycle, change] of [...changes].sort(([a], [b]) => a - b)) {
      rate += change;
      // Rounds away what is left of sums of fractions.
      const bytes = Math.round(rate * 1000) / 1000;
      yield counter(`bytes per cycle of ${channel}`, pid, cycle, { bytes });
    }
  }
}

/** Returns the passes of all frames in tracks without overlaps. The first free track takes each. */
export function layOutPasses({ frames }: SimulatedFrames): TracedPass[][] {
  const tracks: TracedPass[][] = [];
  for (const [frameIndex, { passes }] of frames.entries()) {
    for (const [passIndex, pass] of passes.entries()) {
      const prefix = frames.length === 1 ? '' : `frame ${frameIndex}: `;
      const traced = { name: `${prefix}pass ${passIndex}`, ...extentOf(pass) };
      const free = tracks.find((track) => track.at(-1)!.endCycle <= traced.startCycle);
      if (free === undefined) tracks.push([traced]);
      else free.push(traced);
    }
  }
  return tracks;
}

function extentOf({ visibilityStartCycle, copies, endCycle, bins }: SimulatedPass) {
  const starts = copies.map(({ startCycle }) => startCycle);
  return { startCycle: Math.min(visibilityStartCycle, ...starts), endCycle, bins: bins.length };
}

/** Returns the values of a counter from a cycle on. */
export function counter(
  name: string,
  pid: number,
  cycle: number,
  args: TraceEvent['args'],
): TraceEvent {
  return { name, ph: 'C', pid, tid: 0, ts: cycle / CYCLES_PER_US, args };
}
