/** Query objects (OpenGL ES 3.0, sections 2.14 and 4.1.6): counts between two calls. */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { ObjectTable } from '../object-table.ts';

const ANY_SAMPLES_PASSED = 0x8c2f;
const ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8d6a;
const TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN = 0x8c88;

type Counted = 'fragments' | 'primitives';

/** Count that each target reads. Only one active query at a time can use a count. */
const COUNTED_BY_TARGET: ReadonlyMap<number, Counted> = new Map<number, Counted>([
  [ANY_SAMPLES_PASSED, 'fragments'],
  [ANY_SAMPLES_PASSED_CONSERVATIVE, 'fragments'],
  [TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 'primitives'],
]);

/** Query object. */
export class QueryObject {
  readonly name: number;
  /** Target of the query; 0 until it is first begun. */
  target = 0;
  isActive = false;
  /** Result of the last completed run. */
  result = 0;

  constructor(name: number) {
    this.name = name;
  }
}

/** Parts of a context whose totals queries read. Totals only increase. */
interface QueryParts {
  readonly errors: GlErrors;
  readonly recording: {
    /**
     * Returns the number of fragments that reached the target in all previous draws, which renders
     * them.
     *
     * @param isCounting Whether fragments of later draws must be counted.
     */
    countFragments(isCounting: boolean): number;
  };
  readonly draws: {
    /** Number of primitives that transform feedback has written. */
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
    this.#active.set(counted, { query, start: this.#count(counted, true) });
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
    const count = this.#count(counted, false) - active.start;
    this.#active.delete(counted);
    active.query.isActive = false;
    active.query.result = counted === 'fragments' ? Math.min(count, 1) : count;
  }

  /** Returns the active query of a target. */
  active(target: number): QueryObject | null {
    const active = this.#active.get(COUNTED_BY_TARGET.get(target) ?? 'fragments');
    return active?.query.target === target ? active.query : null;
  }

  /** Returns the count of a completed query; `null` after an error. */
  result(name: number): number | null {
    const query = this.#table.get(name);
    if (query !== null && !query.isActive) return query.result;
    this.#parts.errors.raise(
      GL.INVALID_OPERATION,
      `getQueryParameter: query ${name} does not exist or is active`,
    );
    return null;
  }

  #count(counted: Counted, isCounting: boolean): number {
    return counted === 'fragments'
      ? this.#parts.recording.countFragments(isCounting)
      : this.#parts.draws.feedbackPrimitives;
  }
}
