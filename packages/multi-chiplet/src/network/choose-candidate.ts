/**
 * Arbitration of a link. The packet with the highest priority leaves first. Chiplets that send with
 * the same priority take turns, however far away they are. Turns of the inputs would halve the
 * share of a chiplet with each router between it and the link (Dally and Towles, chapter 19.4).
 *
 * A packet without room at the end of the link reserves its buffers against packets that come later
 * in this order. Therefore a multicast on a bus, which needs room at all receivers, cannot starve.
 */
import type { Candidate, InputBuffer, NetworkLink } from './network-parts.ts';

/** Removes and returns the candidate that the link carries next; null if none has room. */
export function takeCandidate(link: NetworkLink, cycle: number): Candidate | null {
  const sole = link.soleCandidate;
  if (sole !== null) {
    if (sole.branch.lane.buffers[0]!.freeBytesAt(cycle) < sole.copy.bytes) return null;
    link.soleCandidate = null;
    return sole;
  }
  return link.sharedLaneCount > 0
    ? takeFromSharedLanes(link, cycle)
    : takeFromSeparateLanes(link, cycle);
}

/** No buffer is in two lanes, so the first candidate of a lane decides for the lane. */
function takeFromSeparateLanes(link: NetworkLink, cycle: number): Candidate | null {
  let best: Candidate | null = null;
  const { activeLanes } = link;
  for (let i = 0; i < activeLanes.length; i++) {
    const { candidates, buffers } = activeLanes[i]!;
    const first = firstOf(candidates, link);
    const hasRoom = buffers[0]!.freeBytesAt(cycle) >= first.copy.bytes;
    if (hasRoom && (best === null || isBefore(first, best, link))) best = first;
  }
  return best === null ? null : remove(link, best);
}

function takeFromSharedLanes(link: NetworkLink, cycle: number): Candidate | null {
  const reserved = new Set<InputBuffer>();
  const firsts = link.activeLanes.map(({ candidates }) => firstOf(candidates, link));
  firsts.sort((a, b) => (isBefore(a, b, link) ? -1 : 1));
  for (const candidate of firsts) {
    const { buffers } = candidate.branch.lane;
    const { bytes } = candidate.copy;
    if (buffers.every((each) => !reserved.has(each) && each.freeBytesAt(cycle) >= bytes)) {
      return remove(link, candidate);
    }
    for (const buffer of buffers) reserved.add(buffer);
  }
  return null;
}

function firstOf(candidates: readonly Candidate[], link: NetworkLink): Candidate {
  let first = candidates[0]!;
  for (let i = 1; i < candidates.length; i++) {
    if (isBefore(candidates[i]!, first, link)) first = candidates[i]!;
  }
  return first;
}

function isBefore(a: Candidate, b: Candidate, link: NetworkLink): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.from === b.from) return a.turn < b.turn;
  const difference = link.lastByteOf(a.from) - link.lastByteOf(b.from);
  return difference === 0 ? a.from < b.from : difference < 0;
}

function remove(link: NetworkLink, candidate: Candidate): Candidate {
  const { lane } = candidate.branch;
  const { candidates } = lane;
  candidates[candidates.indexOf(candidate)] = candidates.at(-1)!;
  candidates.pop();
  if (candidates.length === 0) {
    const lanes = link.activeLanes;
    lanes[lanes.indexOf(lane)] = lanes.at(-1)!;
    lanes.pop();
    if (lane.buffers.length > 1) link.sharedLaneCount--;
  }
  return candidate;
}
