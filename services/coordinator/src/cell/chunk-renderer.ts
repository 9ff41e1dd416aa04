/** Renders the units of a chunk and reports their outcomes a few at a time. */
import type { Chunk, ClaimedUnit, UnitOutcome, WorkEngine } from '@tessera/engine';
import { ERROR_CODES, RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { ClusterWork, StudyWork } from '../cluster/cluster-work.ts';
import type { CellServices } from './cell-services.ts';
import { renderFrameUnit } from './frame-unit.ts';
import { groupUnits, renderGroup } from './study-units.ts';
import type { WhileAway } from './while-away.ts';

/** Time for which outcomes are collected, so that a transaction holds several of short units. */
const COLLECT_MS = 1000;
/** Statuses of errors that a unit has on every cell. */
const DETERMINED_STATUSES: readonly number[] = [400, 422];

/** Services and settings of a {@link ChunkRenderer}. */
export interface ChunkRendererOptions {
  readonly cell: string;
  readonly engine: WorkEngine;
  readonly services: CellServices;
  readonly log: Logger;
  readonly whileAway: WhileAway;
  /** Renderings of a chunk at once. */
  readonly concurrency: number;
}

type Outcome = Omit<UnitOutcome, 'wallMs'>;

/** Renders one chunk. */
export class ChunkRenderer {
  readonly chunk: Chunk;
  /** Positions of the units that are being rendered. */
  readonly inProgress = new Set<number>();
  readonly #options: ChunkRendererOptions;
  #outcomes: Outcome[] = [];
  #reportedMs = performance.now();
  /** Resolves when the outcomes reported so far are stored. */
  #reports: Promise<void> = Promise.resolve();

  constructor(options: ChunkRendererOptions, chunk: Chunk) {
    this.#options = options;
    this.chunk = chunk;
  }

  /**
   * Renders all units. Resolves when their outcomes are stored, or `signal` is aborted.
   *
   * @param leaving Aborted when no further unit may start. Those in progress continue.
   * @returns Whether all units are over.
   */
  async render(signal: AbortSignal, leaving: AbortSignal): Promise<boolean> {
    this.#reportedMs = performance.now();
    const work = this.chunk.batch.request as ClusterWork; // A gateway of this version wrote it.
    const steps =
      work.kind === 'frame'
        ? this.chunk.units.map((unit) => ({
            units: [unit],
            run: () => this.#frame(work, unit, signal),
          }))
        : this.#studySteps(work, signal);
    let next = 0;
    const lane = async () => {
      while (next < steps.length && !signal.aborted && !leaving.aborted) {
        const { units, run } = steps[next++]!;
        await this.#step(units, run, signal);
      }
    };
    await Promise.all(Array.from({ length: this.#options.concurrency }, lane));
    this.#report(signal);
    await this.#reports;
    return next === steps.length && !signal.aborted;
  }

  #studySteps(work: StudyWork, signal: AbortSignal) {
    const { batch } = this.chunk;
    const points = this.#options.services.points.of(batch.id, work.request);
    const units = this.chunk.units.map((unit) => ({ ...unit, point: points[unit.position]! }));
    return groupUnits(units, work).map((group) => ({
      units: group,
      run: async (): Promise<Outcome[]> => {
        const rendered = await renderGroup(this.#options.services, work, group, signal);
        return rendered.map(({ unit, result, rows }) => outcomeOf(unit, result, rows));
      },
    }));
  }

  async #frame(
    work: Extract<ClusterWork, { kind: 'frame' }>,
    unit: ClaimedUnit,
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    const { services } = this.#options;
    const result = unit.known ?? (await renderFrameUnit(services, unit.key, work, signal));
    const { digest, summary } = result;
    return [outcomeOf(unit, { digest, summary }, [])];
  }

  async #step(
    units: readonly ClaimedUnit[],
    run: () => Promise<Outcome[]>,
    signal: AbortSignal,
  ): Promise<void> {
    for (const { position } of units) this.inProgress.add(position);
    try {
      // First, because a report replaces the list while this waits.
      const outcomes = await run();
      this.#outcomes.push(...outcomes);
    } catch (error) {
      // Units that were aborted are over nowhere; another cell renders them.
      if (signal.aborted) return;
      this.#outcomes.push(...units.map((unit) => this.#failureOf(unit, error)));
    } finally {
      for (const { position } of units) this.inProgress.delete(position);
    }
    if (performance.now() - this.#reportedMs >= COLLECT_MS) this.#report(signal);
  }

  #failureOf({ position, key }: ClaimedUnit, error: unknown): Outcome {
    const { log } = this.#options;
    if (error instanceof RenderError) {
      const { code, message } = error;
      const isDetermined = DETERMINED_STATUSES.includes(ERROR_CODES[code].httpStatus);
      return { position, key, result: { code, message }, isDetermined, rows: [] };
    }
    log.error({ unit: key, err: error }, 'unit failed because of a bug');
    const message = `internal error; the log of the cell has details under ${key}`;
    return { position, key, result: { code: 'INTERNAL', message }, isDetermined: false, rows: [] };
  }

  /** Stores the outcomes collected so far, after the earlier ones. */
  #report(signal: AbortSignal): void {
    const outcomes = this.#outcomes;
    if (outcomes.length === 0) return;
    this.#outcomes = [];
    const nowMs = performance.now();
    const wallMs = (nowMs - this.#reportedMs) / outcomes.length;
    this.#reportedMs = nowMs;
    const { engine, cell, log, whileAway } = this.#options;
    const timed = outcomes.map((outcome) => ({ ...outcome, wallMs }));
    this.#reports = this.#reports.then(async () => {
      const store = () => engine.finish(cell, this.chunk.id, timed);
      for (const violation of await whileAway(store, signal)) {
        log.error({ code: 'DETERMINISM_VIOLATED', ...violation }, 'a unit has two results');
      }
    });
    // `render` awaits the reports; until then a failure has no handler.
    this.#reports.catch(() => {});
  }
}

function outcomeOf(
  { position, key }: ClaimedUnit,
  result: Outcome['result'],
  rows: readonly object[],
): Outcome {
  return { position, key, result, isDetermined: true, rows };
}
