/**
 * Messages, copies of packets and candidates that are used again, so that a hop allocates nothing.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import {
  Candidate,
  type InputBuffer,
  Message,
  PacketCopy,
  type PacketQueue,
  type RouteBranch,
  type RouteEnd,
} from './packet-parts.ts';

/** Objects of one network. */
export class PacketPool {
  /** All messages by index. */
  readonly messages: Message[] = [];
  private readonly freeMessages: Message[] = [];
  private freeCopies: PacketCopy | null = null;
  private freeCandidates: Candidate | null = null;

  /** Returns a message whose fields the caller sets. */
  takeMessage(start: RouteEnd): Message {
    if (this.freeMessages.length === 0) {
      const made = new Message(this.messages.length as i32, start);
      this.messages.push(made);
      return made;
    }
    const message = this.freeMessages.pop()!;
    message.start = start;
    message.leftCount = 0;
    message.missingByReceiver = null;
    if (message.isRecorded) message.intervals.length = 0;
    return message;
  }

  freeMessage(message: Message): void {
    this.freeMessages.push(message);
  }

  /** Returns a copy of a packet whose cycles the caller sets. */
  takeCopy(message: Message, bytes: f64, end: RouteEnd, buffer: InputBuffer | null): PacketCopy {
    let copy = this.freeCopies;
    if (copy === null) {
      copy = new PacketCopy(message, end);
    } else {
      this.freeCopies = copy.next;
      copy.message = message;
      copy.end = end;
    }
    copy.bytes = bytes;
    copy.buffer = buffer;
    copy.branchesLeft = end.branches.length as i32;
    copy.entryByte = -1;
    copy.lastCycle = 0;
    copy.nextCycle = 0;
    return copy;
  }

  freeCopy(copy: PacketCopy): void {
    copy.next = this.freeCopies;
    this.freeCopies = copy;
  }

  /** Returns a candidate whose other fields the caller sets. */
  takeCandidate(copy: PacketCopy, queue: PacketQueue, branch: RouteBranch): Candidate {
    const candidate = this.freeCandidates;
    if (candidate === null) return new Candidate(copy, queue, branch);
    this.freeCandidates = candidate.next;
    candidate.copy = copy;
    candidate.queue = queue;
    candidate.branch = branch;
    return candidate;
  }

  freeCandidate(candidate: Candidate): void {
    candidate.next = this.freeCandidates;
    this.freeCandidates = candidate;
  }
}
