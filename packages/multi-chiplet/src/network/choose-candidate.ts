/**
 * Arbitration of a link. The packet with the highest priority leaves first. Chiplets that send with
 * the same priority take turns, however far away they are. Turns of the inputs would halve the
 * share of a chiplet with each router between it and the link (Dally and Towles, chapter 19.4).
 *
 * A packet without room at the end of the link reserves its buffers against packets that come later
 * in this order. Therefore a multicast on a bus, which needs room at all receivers, cannot starve.
 */
import type { Candidate, InputBuffer, Lane, NetworkLink } from './network-parts.ts';

/** Removes and returns the candidate that the link carries next; null if none has room. */
export function takeCandidate(link: NetworkLink): Candidate | null {
  const { activeLanes } = link;
  const isShared = activeLanes.some(({ buffers }) => buffers.length > 1);
  return isShared ? takeFromSharedLanes(link) : takeFromSeparateLanes(link);
}

/** No buffer is in two lanes, so the first candidate of a lane decides for the lane. */
function takeFromSeparateLanes(link: NetworkLink): Candidate | null {
  let best: Candidate | null = null;
  for (const { candidates, buffers } of link.activeLanes) {
    const first = firstOf(candidates, link);
    const hasRoom = buffers[0]!.freeBytes >= first.copy.bytes;
    if (hasRoom && (best === null || isBefore(first, best, link))) best = first;
  }
  return best === null ? null : remove(link.activeLanes, best);
}

function takeFromSharedLanes(link: NetworkLink): Candidate | null {
  const reserved = new Set<InputBuffer>();
  const firsts = link.activeLanes.map(({ candidates }) => firstOf(candidates, link));
  firsts.sort((a, b) => (isBefore(a, b, link) ? -1 : 1));
  for (const candidate of firsts) {
    const { buffers } = candidate.branch.lane;
    const { bytes } = candidate.copy;
    if (buffers.every((each) => !reserved.has(each) && each.freeBytes >= bytes)) {
      return remove(link.activeLanes, candidate);
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

function isBefore(a: Candidate, b: Candidate, { lastByteBySender }: NetworkLink): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.from === b.from) return a.turn < b.turn;
  const difference = (lastByteBySender.get(a.from) ?? -1) - (lastByteBySender.get(b.from) ?? -1);
  return difference === 0 ? a.from < b.from : difference < 0;
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
