/**
 * Arbitration of a link. The packet with the highest priority leaves first. Chiplets that send with
 * the same priority take turns, however far away they are. Turns of the inputs would halve the
 * share of a chiplet with each router between it and the link (Dally and Towles, chapter 19.4).
 *
 * A packet without room at the end of the link reserves its buffers against packets that come later
 * in this order. Therefore a multicast on a bus, which needs room at all receivers, cannot starve.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import type { Candidate, InputBuffer, NetworkLink } from './packet-parts.ts';

/** Removes and returns the candidate that the link carries next; null if none has room. */
export function takeCandidate(link: NetworkLink, cycle: f64): Candidate | null {
  const sole = link.soleCandidate;
  if (sole !== null) {
    if (sole.branch.lane.buffers[0]!.freeBytesAt(cycle) < sole.copy.bytes) return null;
    link.soleCandidate = null;
    return sole;
  }
  const best =
    link.sharedLaneCount > 0 ? findInSharedLanes(link, cycle) : findInSeparateLanes(link, cycle);
  if (best !== null) link.removeCandidate(best);
  return best;
}

/** No buffer is in two lanes, so the first candidate of a lane decides for the lane. */
function findInSeparateLanes(link: NetworkLink, cycle: f64): Candidate | null {
  let best: Candidate | null = null;
  const lanes = link.activeLanes;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i]!;
    const first = firstOf(lane.candidates, link);
    const hasRoom = lane.buffers[0]!.freeBytesAt(cycle) >= first.copy.bytes;
    if (hasRoom && (best === null || isBefore(first, best, link))) best = first;
  }
  return best;
}

function findInSharedLanes(link: NetworkLink, cycle: f64): Candidate | null {
  const reserved: InputBuffer[] = [];
  const lanes = link.activeLanes;
  let before: Candidate | null = null;
  for (let rank = 0; rank < lanes.length; rank++) {
    const candidate = firstAfter(before, link);
    const buffers = candidate.branch.lane.buffers;
    if (haveRoom(buffers, candidate.copy.bytes, reserved, cycle)) return candidate;
    for (let i = 0; i < buffers.length; i++) reserved.push(buffers[i]!);
    before = candidate;
  }
  return null;
}

/** Returns the first of the lanes' first candidates that comes after another one of them. */
function firstAfter(before: Candidate | null, link: NetworkLink): Candidate {
  let first: Candidate | null = null;
  const lanes = link.activeLanes;
  for (let i = 0; i < lanes.length; i++) {
    const candidate = firstOf(lanes[i]!.candidates, link);
    if (before !== null && !isBefore(before, candidate, link)) continue;
    if (first === null || isBefore(candidate, first, link)) first = candidate;
  }
  return first!;
}

function haveRoom(
  buffers: readonly InputBuffer[],
  bytes: f64,
  reserved: readonly InputBuffer[],
  cycle: f64,
): boolean {
  for (let i = 0; i < buffers.length; i++) {
    const buffer = buffers[i]!;
    if (buffer.freeBytesAt(cycle) < bytes || reserved.includes(buffer)) return false;
  }
  return true;
}

function firstOf(candidates: readonly Candidate[], link: NetworkLink): Candidate {
  let first = candidates[0]!;
  const count: i32 = candidates.length;
  for (let i = 1; i < count; i++) {
    if (isBefore(candidates[i]!, first, link)) first = candidates[i]!;
  }
  return first;
}

function isBefore(a: Candidate, b: Candidate, link: NetworkLink): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.from === b.from) return a.turn < b.turn;
  const difference = link.lastByteOf(a.from) - link.lastByteOf(b.from);
  return difference === 0 ? b.from > a.from : difference < 0;
}
