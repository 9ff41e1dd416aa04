/**
 * Arbitration of a link. The packet with the highest priority leaves first, then the one that is
 * longest in the network, then that of the lower chiplet. Arbitration by age gives every chiplet
 * the same share of a link, however far away it is (Dally and Towles, chapter 18.4).
 *
 * A packet without room at the end of the link reserves its buffers against younger packets.
 * Therefore a multicast on a bus, which needs room at all receivers, cannot starve.
 */
import type { Candidate, InputBuffer, Lane, NetworkLink } from './network-parts.ts';

/** Removes and returns the candidate that the link carries next; null if none has room. */
export function takeCandidate(link: NetworkLink): Candidate | null {
  const { activeLanes } = link;
  const isShared = activeLanes.some(({ buffers }) => buffers.length > 1);
  return isShared ? takeFromSharedLanes(activeLanes) : takeFromSeparateLanes(activeLanes);
}

/** No buffer is in two lanes, so the oldest candidate of a lane decides for the lane. */
function takeFromSeparateLanes(lanes: Lane[]): Candidate | null {
  let best: Candidate | null = null;
  for (const { candidates, buffers } of lanes) {
    const first = oldestOf(candidates);
    const hasRoom = buffers[0]!.freeBytes >= first.copy.bytes;
    if (hasRoom && (best === null || isBefore(first, best))) best = first;
  }
  return best === null ? null : remove(lanes, best);
}

function takeFromSharedLanes(lanes: Lane[]): Candidate | null {
  const reserved = new Set<InputBuffer>();
  const firsts = lanes.map(({ candidates }) => oldestOf(candidates));
  firsts.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  for (const candidate of firsts) {
    const { buffers } = candidate.branch.lane;
    const { bytes } = candidate.copy;
    if (buffers.every((each) => !reserved.has(each) && each.freeBytes >= bytes)) {
      return remove(lanes, candidate);
    }
    for (const buffer of buffers) reserved.add(buffer);
  }
  return null;
}

function oldestOf(candidates: readonly Candidate[]): Candidate {
  let oldest = candidates[0]!;
  for (let i = 1; i < candidates.length; i++) {
    if (isBefore(candidates[i]!, oldest)) oldest = candidates[i]!;
  }
  return oldest;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.order !== b.order) return a.order < b.order;
  return a.copy.message.packet.from < b.copy.message.packet.from;
}

function remove(lanes: Lane[], candidate: Candidate): Candidate {
  const { lane } = candidate.branch;
  const { candidates } = lane;
  candidates[candidates.indexOf(candidate)] = candidates.at(-1)!;
  candidates.pop();
  if (candidates.length === 0) {
    lanes[lanes.indexOf(lane)] = lanes.at(-1)!;
    lanes.pop();
  }
  return candidate;
}
