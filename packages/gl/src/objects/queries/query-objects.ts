/**
 * Query objects (OpenGL ES 3.0, sections 2.14 and 4.1.6; EXT_disjoint_timer_query): counts and
 * times between two calls.
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { PassTime } from '../../recording/passes/pass-time.ts';
import type { QueryPart } from '../../recording/passes/query-part.ts';
import { ObjectTable } from '../object-table.ts';

const ANY_SAMPLES_PASSED = 0x8c2f;
const ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8d6a;
const TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN = 0x8c88;
const TIME_ELAPSED = 0x88bf;

type Counted = 'fragments' | 'primitives' | 'time';

/** Count that each target reads. Only one active query at a time can use a count. */
const COUNTED_BY_TARGET: ReadonlyMap<number, Counted> = new Map<number, Counted>([
  [ANY_SAMPLES_PASSED, 'fragments'],
  [ANY_SAMPLES_PASSED_CONSERVATIVE, 'fragments'],
  [TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 'primitives'],
  [TIME_ELAPSED, 'time'],
]);

/** Query object. */
export class QueryObject {
  readonly name: number;
  /** Target of the query; 0 until it is first begun. */
  target = 0;
  isActive = false;
  /** Draws that the last run of an occlusion query counts; `null` for other queries. */
  parts: readonly QueryPart[] | null = null;
  /** Passes that the last run of a timer query times; `null` for other queries. */
  times: readonly PassTime[] | null = null;
  /** Result of the last completed run of another query. */
  result = 0;

  constructor(name: number) {
    this.name = name;
  }
}

/** Parts of a context that count. */
interface QueryParts {
  readonly errors: GlErrors;
  readonly recording: {
    /** Starts to count fragments and returns the parts of the query. */
    startCounting(): readonly QueryPart[];
    stopCounting(): void;
    /** Starts to time passes and returns those of the query. */
    startTiming(): readonly PassTime[];
    stopTiming(): void;
    /** Returns the number of fragments that passed, which may render their draws. */
    countFragments(parts: readonly QueryPart[]): number;
  };
  readonly draws: {
    /** Number of primitives that transform feedback has written; it only increases. */
    readonly feedbackPrimitives: number;
  };
}

/** Queries of one context. */
export class QueryState {
  readonly #parts: QueryParts;
  readonly #table = new ObjectTable<QueryObject>();
  readonly #active = new Map<Counted, { readonly query: QueryObject; readonly start: number }>();

  constructor(parts: QueryParts) {
    this.#parts = parts;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isQuery(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const query = name === 0 ? null : this.#table.get(name);
      if (query?.isActive === true) this.end(query.target);
      if (name !== 0) this.#table.remove(name);
    }
  }

  begin(target: number, name: number): void {
    const caller = 'beginQuery';
    const counted = COUNTED_BY_TARGET.get(target);
    if (counted === undefined) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(target)} is not a query target`,
      );
      return;
    }
    const known = this.#table.get(name);
    const isOther = known !== null && known.target !== target && known.target !== 0;
    if (name === 0 || isOther || known?.isActive === true || this.#active.has(counted)) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: query ${name} is 0, active or of another target, or ${nameOfEnum(target)} has an active query`,
      );
      return;
    }
    const query = this.#table.obtain(name, (made) => new QueryObject(made));
    query.target = target;
    query.isActive = true;
    const { recording, draws } = this.#parts;
    query.parts = counted === 'fragments' ? recording.startCounting() : null;
    query.times = counted === 'time' ? recording.startTiming() : null;
    this.#active.set(counted, { query, start: draws.feedbackPrimitives });
  }

  end(target: number): void {
    const counted = COUNTED_BY_TARGET.get(target);
    if (counted === undefined) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `endQuery: ${nameOfEnum(target)} is not a query target`,
      );
      return;
    }
    const active = this.#active.get(counted);
    if (active === undefined || active.query.target !== target) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `endQuery: no query is active for ${nameOfEnum(target)}`,
      );
      return;
    }
    const { recording, draws } = this.#parts;
    this.#active.delete(counted);
    active.query.isActive = false;
    if (counted === 'fragments') recording.stopCounting();
    else if (counted === 'time') recording.stopTiming();
    else active.query.result = draws.feedbackPrimitives - active.start;
  }

  /** Returns the active query of a target. */
  active(target: number): QueryObject | null {
    const active = this.#active.get(COUNTED_BY_TARGET.get(target) ?? 'fragments');
    return active?.query.target === target ? active.query : null;
  }

  /** Whether the result of a completed query needs no further frame. */
  isKnown(name: number): boolean {
    return this.#table.get(name)?.times?.some(({ nanoseconds }) => nanoseconds === null) !== true;
  }

  /**
   * Returns the result of a completed query; `null` after an error. Draws that the query counts and
   * that are not rendered yet are rendered. A time is in nanoseconds, without passes of frames that
   * were not finished.
   */
  result(name: number): number | null {
    const query = this.#table.get(name);
    if (query !== null && !query.isActive) {
      const { parts, times, result } = query;
      if (times !== null) {
        return Math.round(times.reduce((sum, { nanoseconds }) => sum + (nanoseconds ?? 0), 0));
      }
      return parts === null ? result : Math.min(1, this.#parts.recording.countFragments(parts));
    }
    this.#parts.errors.raise(
      GL.INVALID_OPERATION,
      `getQueryParameter: query ${name} does not exist or is active`,
    );
    return null;
  }
}
