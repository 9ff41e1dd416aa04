/** Copies of packets and candidates that are used again, so that a hop allocates nothing. */
import type {
  Candidate,
  InputBuffer,
  Message,
  PacketCopy,
  PacketQueue,
  RouteBranch,
  RouteEnd,
} from './network-parts.ts';

/** Copies and candidates of one network. */
export class PacketPool {
  readonly #copies: PacketCopy[] = [];
  readonly #candidates: Candidate[] = [];

  /** Returns a copy of a packet whose cycles the caller sets. */
  takeCopy(
    message: Message,
    isLast: boolean,
    bytes: number,
    end: RouteEnd,
    buffer: InputBuffer | null,
  ): PacketCopy {
    const copy = this.#copies.pop();
    const branchesLeft = end.branches.length;
    if (copy === undefined) {
      const cycles = { headCycle: 0, tailCycle: 0, lastCycle: 0, nextCycle: 0 };
      return { message, isLast, bytes, end, buffer, branchesLeft, entryByte: -1, ...cycles };
    }
    copy.message = message;
    copy.isLast = isLast;
    copy.bytes = bytes;
    copy.end = end;
    copy.buffer = buffer;
    copy.branchesLeft = branchesLeft;
    copy.entryByte = -1;
    copy.lastCycle = 0;
    copy.nextCycle = 0;
    return copy;
  }

  freeCopy(copy: PacketCopy): void {
    this.#copies.push(copy);
  }

  /** Returns a candidate whose other fields the caller sets. */
  takeCandidate(copy: PacketCopy, queue: PacketQueue, branch: RouteBranch): Candidate {
    const candidate = this.#candidates.pop();
    if (candidate === undefined) {
      return { copy, queue, branch, readyCycle: 0, priority: 0, from: 0, turn: 0 };
    }
    candidate.copy = copy;
    candidate.queue = queue;
    candidate.branch = branch;
    return candidate;
  }

  freeCandidate(candidate: Candidate): void {
    this.#candidates.push(candidate);
  }
}
