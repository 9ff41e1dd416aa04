/**
 * Links to serve in a cycle. They are served in rounds: in each round, every link that may carry a
 * packet carries at most one, in the order of their indices. This order is a function of the state
 * at the start of the cycle, so results do not depend on the order of events.
 */
import type { i32 } from '../portable/number-types.ts';
import type { NetworkLink } from './packet-parts.ts';

/** Links of the current round, and of the next one. */
export class PendingLinks {
  /** Links in the order of their indices. Entries from the count on are old. */
  private round: NetworkLink[] = [];
  private roundCount: i32 = 0;
  private next: NetworkLink[] = [];
  private nextCount: i32 = 0;
  /** Number of links of the round that were taken. */
  private at: i32 = 0;
  /** Index of the link that was taken; −1 between rounds. */
  private current: i32 = -1;

  /** Adds a link that may be able to carry a packet. */
  add(link: NetworkLink): void {
    if (link.isPending) return;
    link.isPending = true;
    if (this.current < 0 || link.index <= this.current) {
      insert(this.next, 0, this.nextCount++, link);
    } else {
      insert(this.round, this.at, this.roundCount++, link);
    }
  }

  /** Returns the link to serve next; null if none is left. */
  take(): NetworkLink | null {
    if (this.at === this.roundCount) {
      this.current = -1;
      this.at = 0;
      this.roundCount = this.nextCount;
      if (this.nextCount === 0) return null;
      const links = this.next;
      this.next = this.round;
      this.round = links;
      this.nextCount = 0;
    }
    const link = this.round[this.at++]!;
    this.current = link.index;
    link.isPending = false;
    return link;
  }
}

/** Inserts a link among those from `first` up to `end`, which are in order. */
function insert(links: NetworkLink[], first: i32, end: i32, link: NetworkLink): void {
  if (end === links.length) links.push(link);
  let at = end;
  for (; at > first && links[at - 1]!.index > link.index; at--) links[at] = links[at - 1]!;
  links[at] = link;
}
