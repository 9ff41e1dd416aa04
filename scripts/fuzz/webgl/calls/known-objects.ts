/** Objects that generated calls have created, so that later calls can refer to them. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { ObjectKind } from './call-list.ts';
import type { ShaderPair } from './shader-sources.ts';

/** Object of a generated list. Fields other than the first three depend on its kind. */
export interface KnownObject {
  readonly kind: ObjectKind;
  /** Result number of the call that created it. */
  readonly result: number;
  isDeleted: boolean;
  /** Buffer: whether it has indices. Such a buffer has no other use. */
  hasIndices?: boolean;
  /** Texture: target of its first binding. */
  target?: number;
  /** Program: its shaders. */
  pair?: ShaderPair;
  /** Program: locations of its uniforms, by setter. */
  locations?: Map<string, number>;
  /** Location: setter of its uniform. */
  setter?: string;
}

/** Share of references to objects among the latest ones of their kind. */
const LATEST_SHARE = 0.7;
const LATEST_COUNT = 3;

/** Objects of one list. */
export class KnownObjects {
  readonly #random: SeededRandom;
  readonly #byKind = new Map<ObjectKind, KnownObject[]>();
  #resultCount = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Returns the number for the result of the next call. */
  nextResult(): number {
    return ++this.#resultCount;
  }

  add(object: Omit<KnownObject, 'isDeleted'>): KnownObject {
    const known = { ...object, isDeleted: false };
    const list = this.#byKind.get(object.kind) ?? [];
    list.push(known);
    this.#byKind.set(object.kind, list);
    return known;
  }

  /** Returns an object that fulfills a condition, preferably a recent one, or null. */
  find(
    kind: ObjectKind,
    isSuitable: (object: KnownObject) => boolean = ({ isDeleted }) => !isDeleted,
  ): KnownObject | null {
    const suitable = (this.#byKind.get(kind) ?? []).filter(isSuitable);
    if (suitable.length === 0) return null;
    const isRecent = this.#random.next() < LATEST_SHARE;
    return this.#random.pick(isRecent ? suitable.slice(-LATEST_COUNT) : suitable);
  }

  /** Returns the object of a result number, or null. */
  of(result: number): KnownObject | null {
    for (const list of this.#byKind.values()) {
      const found = list.find((object) => object.result === result);
      if (found !== undefined) return found;
    }
    return null;
  }
}
