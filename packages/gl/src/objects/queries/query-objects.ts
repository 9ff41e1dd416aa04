/** Query objects (OpenGL ES 3.0, sections 2.14 and 4.1.6): what was counted between two calls. */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { ObjectTable } from '../object-table.ts';

const ANY_SAMPLES_PASSED = 0x8c2f;
const ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8d6a;
const TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN = 0x8c88;

type Counted = 'fragments' | 'primitives';

/** What each target counts; only one query at a time counts the same. */
const COUNTED_BY_TARGET: ReadonlyMap<number, Counted> = new Map<number, Counted>([
  [ANY_SAMPLES_PASSED, 'fragments'],
  [ANY_SAMPLES_PASSED_CONSERVATIVE, 'fragments'],
  [TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 'primitives'],
]);

export class QueryObject {
  readonly name: number;
  /** 0 until it was begun. */
  target = 0;
  isActive = false;
  /** Of the last time that it was ended. */
  result = 0;

  constructor(name: number) {
    this.name = name;
  }
}

/** Counters that queries read: totals that only grow. */
export interface QueryCounters {
  /**
   * Fragments that reached the target, of all that was drawn before; asking renders it.
   *
   * @param isCounting Whether those of later draws are to be counted.
   */
  countFragments(isCounting: boolean): number;
  /** Primitives that transform feedback wrote. */
  readonly feedbackPrimitives: number;
}

export class QueryState {
  readonly #errors: GlErrors;
  readonly #counters: QueryCounters;
  readonly #table = new ObjectTable<QueryObject>();
  readonly #active = new Map<Counted, { readonly query: QueryObject; readonly start: number }>();

  constructor(errors: GlErrors, counters: QueryCounters) {
    this.#errors = errors;
    this.#counters = counters;
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
    const where = 'beginQuery';
    const counted = COUNTED_BY_TARGET.get(target);
    if (counted === undefined) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(target)}`);
      return;
    }
    const known = this.#table.get(name);
    const isOther = known !== null && known.target !== target && known.target !== 0;
    if (name === 0 || isOther || known?.isActive === true || this.#active.has(counted)) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: query ${name} for ${nameOfEnum(target)}`);
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
      this.#errors.raise(GL.INVALID_ENUM, `endQuery: ${nameOfEnum(target)}`);
      return;
    }
    const active = this.#active.get(counted);
    if (active === undefined || active.query.target !== target) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `endQuery: none for ${nameOfEnum(target)} is active`,
      );
      return;
    }
    const count = this.#count(counted, false) - active.start;
    this.#active.delete(counted);
    active.query.isActive = false;
    active.query.result = counted === 'fragments' ? Math.min(count, 1) : count;
  }

  /** The query that counts for a target now. */
  active(target: number): QueryObject | null {
    const active = this.#active.get(COUNTED_BY_TARGET.get(target) ?? 'fragments');
    return active?.query.target === target ? active.query : null;
  }

  /** What an ended query counted; `null` after an error. */
  result(name: number): number | null {
    const query = this.#table.get(name);
    if (query !== null && !query.isActive) return query.result;
    this.#errors.raise(GL.INVALID_OPERATION, `getQueryParameter: query ${name} has no result`);
    return null;
  }

  #count(counted: Counted, isCounting: boolean): number {
    return counted === 'fragments'
      ? this.#counters.countFragments(isCounting)
      : this.#counters.feedbackPrimitives;
  }
}
