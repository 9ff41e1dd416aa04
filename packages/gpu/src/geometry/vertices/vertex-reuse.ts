/**
 * Finds vertices that a batch segment already contains (post-transform reuse). A vertex is
 * identified by its vertex index and instance. Equal vertices get one number. Numbers follow the
 * order of first use.
 */

const GOLDEN = 0x9e3779b1;
const SECOND_PRIME = 0x85ebca6b;
/** Vertex indices below this limit are looked up without hashing. */
const DIRECT_VERTICES = 131_072;
/** Upper bound of the table's entries. */
const MAX_ENTRY = 2 ** 30;

/** Numbers the distinct vertices of a segment in order of first use. */
export class VertexReuse {
  /** Vertex index (gl_VertexID) by number. */
  readonly vertexIds: Uint32Array;
  /** Instance (gl_InstanceID) by number. */
  readonly instanceIds: Uint32Array;
  readonly #slotBits: number;
  readonly #slotMask: number;
  /** Number of the vertex in a slot, valid if the slot's generation is the current one. */
  readonly #numbers: Int32Array;
  readonly #generations: Int32Array;
  /**
   * Number of the vertex plus the base of its segment, by vertex index, for the instance that used
   * it first. Entries below the base belong to earlier segments.
   */
  readonly #directEntries = new Int32Array(DIRECT_VERTICES);
  #base = 1;
  #generation = 1;
  #count = 0;

  /** @param capacity Maximum number of distinct vertices per segment. */
  constructor(capacity: number) {
    this.vertexIds = new Uint32Array(capacity);
    this.instanceIds = new Uint32Array(capacity);
    this.#slotBits = 33 - Math.clz32(2 * capacity - 1);
    const slotCount = 2 ** this.#slotBits;
    this.#slotMask = slotCount - 1;
    this.#numbers = new Int32Array(slotCount);
    this.#generations = new Int32Array(slotCount);
  }

  /** Number of distinct vertices so far. */
  get count(): number {
    return this.#count;
  }

  /** Removes all vertices. */
  clear(): void {
    this.#base += this.#count;
    if (this.#base > MAX_ENTRY) {
      this.#directEntries.fill(0);
      this.#base = 1;
    }
    this.#count = 0;
    this.#generation++;
  }

  /**
   * Assigns a number to a new vertex without entering it into the table, so {@link numberOf} does
   * not find it.
   */
  append(vertexId: number, instanceId: number): number {
    const number = this.#count++;
    this.vertexIds[number] = vertexId;
    this.instanceIds[number] = instanceId;
    return number;
  }

  /** Returns the number of a vertex. `count` increases at its first use. */
  numberOf(vertexId: number, instanceId: number): number {
    if (vertexId < DIRECT_VERTICES) {
      const number = this.#directEntries[vertexId]! - this.#base;
      if (number < 0) {
        this.#directEntries[vertexId] = this.#base + this.#count;
        return this.append(vertexId, instanceId);
      }
      if (this.instanceIds[number] === instanceId) return number;
    }
    return this.#findByHash(vertexId, instanceId);
  }

  /**
   * Numbers the corners of consecutive triangles in an index array, as {@link numberOf} does for
   * instance 0.
   *
   * @param firstIndex Position of triangle 0 in the index array.
   * @param ids Triangles `ids[start]` to `ids[end − 1]`.
   * @param corners Receives the numbers, three per triangle.
   */
  numberTriangles(
    indices: Uint8Array | Uint16Array | Uint32Array,
    firstIndex: number,
    ids: Uint32Array,
    start: number,
    end: number,
    corners: Int32Array,
  ): void {
    const firstNumber = this.#count;
    const { length } = indices;
    let to = 0;
    for (let i = start; i < end; i++, to += 3) {
      const at = firstIndex + 3 * ids[i]!;
      // An index past the end of the buffer is 0, as robust access requires.
      const isWhole = at + 2 < length;
      corners[to] = this.#numberOfFirst(isWhole || at < length ? indices[at]! : 0);
      corners[to + 1] = this.#numberOfFirst(isWhole || at + 1 < length ? indices[at + 1]! : 0);
      corners[to + 2] = this.#numberOfFirst(isWhole ? indices[at + 2]! : 0);
    }
    this.instanceIds.fill(0, firstNumber, this.#count);
  }

  /**
   * Returns the number of a vertex of instance 0, in a segment without other instances. The caller
   * writes `instanceIds`.
   */
  #numberOfFirst(vertexId: number): number {
    if (vertexId >= DIRECT_VERTICES) return this.#findByHash(vertexId, 0);
    const known = (this.#directEntries[vertexId]! - this.#base) | 0;
    if (known >= 0) return known;
    const number = this.#count;
    this.#count = (number + 1) | 0;
    this.#directEntries[vertexId] = (this.#base + number) | 0;
    this.vertexIds[number] = vertexId;
    return number;
  }

  #findByHash(vertexId: number, instanceId: number): number {
    const hash = Math.imul(vertexId, GOLDEN) ^ Math.imul(instanceId, SECOND_PRIME);
    let slot = hash >>> (32 - this.#slotBits);
    while (this.#generations[slot] === this.#generation) {
      const number = this.#numbers[slot]!;
      if (this.vertexIds[number] === vertexId && this.instanceIds[number] === instanceId) {
        return number;
      }
      slot = (slot + 1) & this.#slotMask;
    }
    const number = this.append(vertexId, instanceId);
    this.#generations[slot] = this.#generation;
    this.#numbers[slot] = number;
    return number;
  }
}
