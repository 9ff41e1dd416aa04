/**
 * Links to serve in a cycle. They are served in rounds: in each round, every link that may carry a
 * packet carries at most one, in the order of their indices. This order is a function of the state
 * at the start of the cycle, so results do not depend on the order of events.
 */
import type { NetworkLink } from './network-parts.ts';

/** Links of the current round, and of the next one. */
export class PendingLinks {
  /** Links in the order of their indices. Entries from the count on are old. */
  #round: NetworkLink[] = [];
  #roundCount = 0;
  #next: NetworkLink[] = [];
  #nextCount = 0;
  /** Number of links of the round that were served. */
  #at = 0;
  /** Index of the link that is being served; −1 between rounds. */
  #current = -1;

  /** Adds a link that may be able to carry a packet. */
  add(link: NetworkLink): void {
    if (link.isPending) return;
    link.isPending = true;
    if (this.#current < 0 || link.index <= this.#current) {
      insert(this.#next, 0, this.#nextCount++, link);
    } else {
      insert(this.#round, this.#at, this.#roundCount++, link);
    }
  }

  /** Serves links until none is left. */
  serve(serveLink: (link: NetworkLink) => void): void {
    while (this.#nextCount > 0) {
      const links = this.#next;
      this.#next = this.#round;
      this.#round = links;
      this.#roundCount = this.#nextCount;
      this.#nextCount = 0;
      this.#at = 0;
      while (this.#at < this.#roundCount) {
        const link = links[this.#at++]!;
        this.#current = link.index;
        link.isPending = false;
        serveLink(link);
      }
      this.#current = -1;
    }
  }
}

/** Inserts a link among those from `first` up to `end`, which are in order. */
function insert(links: NetworkLink[], first: number, end: number, link: NetworkLink): void {
  let at = end;
  for (; at > first && links[at - 1]!.index > link.index; at--) links[at] = links[at - 1]!;
  links[at] = link;
}
