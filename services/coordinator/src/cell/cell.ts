/**
 * Cell of a cluster: claims chunks, renders them on the chiplets of this machine, and stores their
 * results. While one chunk of a study is rendered, the next is claimed. Interactive frames have
 * lanes of their own, so that they never wait for a chunk.
 */
import type { Chunk, WorkClass, WorkEngine } from '@tessera/engine';
import type { Logger } from 'pino';
import { delay } from '../process/delay.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { ChunkRenderer, type ChunkRendererOptions } from './chunk-renderer.ts';

/** Interval between beats. A claim without one for ten seconds goes to another cell. */
const BEAT_MS = 2500;
/** Interval between two claims while there is no work: people wait for interactive frames. */
const IDLE_MS = { interactive: 250, study: 1000 } as const satisfies Record<WorkClass, number>;
/** Files that a claim names as held. */
const MAX_HELD = 256;

/** Services and settings of a {@link Cell}. */
export interface CellOptions extends ChunkRendererOptions {
  readonly engine: WorkEngine;
  readonly version: string;
  readonly resources: ResourceStore;
  readonly log: Logger;
  readonly chunkMs: number;
  /** Whether the chiplets that rendering needs are connected. */
  readonly isReady: () => boolean;
}

/** Claimed chunk, and the controller that ends its rendering. */
interface HeldChunk {
  readonly renderer: ChunkRenderer;
  readonly abort: AbortController;
}

/** Cell of a cluster. */
export class Cell {
  readonly #options: CellOptions;
  /** Aborted when the cell claims no more. */
  readonly #stopping = new AbortController();
  /** Aborted when the cell holds no chunk. */
  readonly #leaving = new AbortController();
  readonly #held = new Set<HeldChunk>();
  readonly #lanes: Promise<void>[];
  readonly #beats: Promise<void>;
  /** Resolves when the chunk before this one is rendered. */
  #turn: Promise<void> = Promise.resolve();
  /** Search of another lane for work, by class. One lane at a time is enough. */
  readonly #search: Record<WorkClass, Promise<unknown>> = {
    interactive: Promise.resolve(),
    study: Promise.resolve(),
  };

  constructor(options: CellOptions) {
    this.#options = options;
    this.#lanes = [
      this.#pull('study', true),
      this.#pull('study', true),
      this.#pull('interactive', false),
      this.#pull('interactive', false),
    ];
    this.#beats = this.#beat();
  }

  /**
   * Stops claiming, finishes the units in progress and gives the others back. Resolves when the
   * engine knows.
   *
   * @param withinMs Time after which units in progress are given back, too.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    const timeUp = setTimeout(() => {
      for (const { abort } of this.#held) abort.abort();
    }, withinMs);
    await Promise.all(this.#lanes);
    clearTimeout(timeUp);
    this.#leaving.abort();
    await this.#beats;
  }

  /** @param isInTurn Whether a chunk waits for the one before it. */
  async #pull(workClass: WorkClass, isInTurn: boolean): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const found = this.#search[workClass].then(() => this.#find(workClass));
      this.#search[workClass] = found;
      const chunk = await found;
      if (chunk === null) return;
      try {
        await this.#render(new ChunkRenderer(this.#options, chunk), isInTurn);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.log.error({ err: error, chunkId: chunk.id }, 'a chunk failed');
        await delay(BEAT_MS, signal);
      }
    }
  }

  /** Claims until there is a chunk. Returns null when the cell stops. */
  async #find(workClass: WorkClass): Promise<Chunk | null> {
    const { signal } = this.#stopping;
    const { engine, cell, version, chunkMs, resources, log, whileAway, isReady } = this.#options;
    while (!signal.aborted) {
      try {
        if (!isReady()) {
          await delay(IDLE_MS[workClass], signal);
          continue;
        }
        const heldBlobs = resources.newest(MAX_HELD);
        const claim = { cell, version, classes: [workClass], heldBlobs, targetMs: chunkMs };
        const chunk = await whileAway(() => engine.claim(claim), signal);
        if (chunk !== null) return chunk;
        await delay(IDLE_MS[workClass], signal);
      } catch (error) {
        if (signal.aborted) return null;
        log.error({ err: error }, 'a claim failed');
        await delay(BEAT_MS, signal);
      }
    }
    return null;
  }

  async #render(renderer: ChunkRenderer, isInTurn: boolean): Promise<void> {
    const held = { renderer, abort: new AbortController() };
    this.#held.add(held);
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = isInTurn ? this.#turn : Promise.resolve();
    if (isInTurn) this.#turn = promise;
    let isOver = false;
    try {
      await before;
      const leaving = this.#stopping.signal;
      const { signal } = held.abort;
      if (!leaving.aborted && !signal.aborted) isOver = await renderer.render(signal, leaving);
    } finally {
      this.#held.delete(held);
      resolve();
      const { id, isHedge } = renderer.chunk;
      if (!isOver && !isHedge) await this.#giveBack(id);
    }
  }

  /** Gives a chunk back. If the engine is away, the chunk's missing beat does the same. */
  async #giveBack(chunkId: string): Promise<void> {
    const { engine, log } = this.#options;
    await engine
      .giveBack(chunkId)
      .catch((error) => log.warn({ err: error, chunkId }, 'a chunk was not given back'));
  }

  async #beat(): Promise<void> {
    const { engine, cell, version, log } = this.#options;
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const own = [...this.#held].filter(({ renderer }) => !renderer.chunk.isHedge);
      const inProgress = new Map(
        own.map(({ renderer }) => [renderer.chunk.id, [...renderer.inProgress]]),
      );
      try {
        const { lostChunks } = await engine.beat(cell, version, inProgress);
        for (const held of own) {
          const isLost = lostChunks.includes(held.renderer.chunk.id);
          // The chunk may be over meanwhile.
          if (isLost && this.#held.has(held)) held.abort.abort();
        }
      } catch (error) {
        log.warn({ err: error }, 'a beat failed');
      }
      await delay(BEAT_MS, signal);
    }
  }
}
