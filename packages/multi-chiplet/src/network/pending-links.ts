/**
 * Links to serve in a cycle. They are served in rounds: in each round, every link that may carry a
 * packet carries at most one, in the order of their indices. This order is a function of the state
 * at the start of the cycle, so results do not depend on the order of events.
 */
import type { NetworkLink } from './network-parts.ts';

/** Links of the current round, and of the next one. */
export class PendingLinks {
  #round: NetworkLink[] = [];
  #next: NetworkLink[] = [];
  #at = 0;
  /** Index of the link that is being served; −1 between rounds. */
  #current = -1;
  #roundNumber = 0;

  /** Number of the round of this cycle; 0 before the first. */
  get round(): number {
    return this.#roundNumber;
  }

  /** Index of the link that is being served; −1 between rounds. */
  get linkIndex(): number {
    return this.#current;
  }

  /** Adds a link that may be able to carry a packet. */
  add(link: NetworkLink): void {
    if (link.isPending) return;
    link.isPending = true;
    if (link.index <= this.#current || this.#current < 0) {
      this.#next.push(link);
      return;
    }
    let at = this.#round.length;
    while (at > this.#at && this.#round[at - 1]!.index > link.index) at--;
    this.#round.splice(at, 0, link);
  }

  /** Serves links until none is left. */
  serve(serveLink: (link: NetworkLink) => void): void {
    while (this.#next.length > 0) {
      this.#roundNumber++;
      [this.#round, this.#next] = [this.#next, this.#round];
      this.#next.length = 0;
      if (this.#round.length > 1) this.#round.sort((a, b) => a.index - b.index);
      for (this.#at = 0; this.#at < this.#round.length; ) {
        const link = this.#round[this.#at++]!;
        this.#current = link.index;
        link.isPending = false;
        serveLink(link);
      }
      this.#current = -1;
    }
    this.#roundNumber = 0;
  }
}
