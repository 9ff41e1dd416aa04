/**
 * Work of a page or worker that has started and not ended: fetches, decoding of images, tasks of
 * workers. A frame that is taken while work is pending can lack its result.
 */

const MAX_NAME_LENGTH = 120;

/** Names of one piece of work; a worker has one for each thing that it waits for. */
type Names = () => readonly string[];

/** Pending work of one thread. */
export class PendingWork {
  readonly #names = new Set<Names>();
  readonly #waiting = new Set<() => void>();
  #started = 0;

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** Number of pieces of work that have started so far. */
  get started(): number {
    return this.#started;
  }

  /**
   * Adds a piece of work.
   *
   * @param names Kind and address, such as `fetch tiles/1.pbf`, or a function that returns names.
   * @returns Function that ends it; calls after the first do nothing.
   */
  begin(names: string | Names): () => void {
    const entry: Names = typeof names === 'string' ? () => [shorten(names)] : () => names();
    this.#names.add(entry);
    this.#started++;
    this.noteChange();
    return () => {
      if (this.#names.delete(entry)) this.noteChange();
    };
  }

  /** Adds work that ends with a promise. Returns the promise. */
  track<T>(name: string, promise: Promise<T>): Promise<T> {
    const end = this.begin(name);
    promise.then(end, end);
    return promise;
  }

  /** Returns the names of all pending work, each once. */
  list(): string[] {
    return [...new Set([...this.#names].flatMap((names) => names()))];
  }

  /** Resolves when work starts or ends. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Notifies those who wait for a change, also of one that changes only names. */
  noteChange(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Data addresses can have megabytes. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}
