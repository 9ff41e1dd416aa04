/**
 * Finds vertices that a batch has already: the post-transform reuse of one batch segment. A vertex is
 * known by its vertex index and its instance; equal ones get one number, numbers follow first use.
 */

const GOLDEN = 0x9e3779b1;
const SECOND_PRIME = 0x85ebca6b;
/** Vertex indices below this are looked up without hashing. */
const DIRECT_VERTICES = 65_536;

/** Numbers the distinct vertices of a segment, in order of first use. */
export class VertexReuse {
  /** Vertex index (gl_VertexID) by number. */
  readonly vertexIds: Uint32Array;
  /** Instance (gl_InstanceID) by number. */
  readonly instanceIds: Uint32Array;
  readonly #slotBits: number;
  readonly #slotMask: number;
  /** Number of the vertex in a slot, valid where the slot's generation is the current one. */
  readonly #numbers: Int32Array;
  readonly #generations: Int32Array;
  /** The same by vertex index, of the instance that used it first. */
  readonly #directNumbers = new Int32Array(DIRECT_VERTICES);
  readonly #directGenerations = new Int32Array(DIRECT_VERTICES);
  #generation = 1;
  #count = 0;

  /** @param capacity Most distinct vertices of a segment. */
  constructor(capacity: number) {
    this.vertexIds = new Uint32Array(capacity);
    this.instanceIds = new Uint32Array(capacity);
    this.#slotBits = 33 - Math.clz32(2 * capacity - 1);
    const slotCount = 2 ** this.#slotBits;
    this.#slotMask = slotCount - 1;
    this.#numbers = new Int32Array(slotCount);
    this.#generations = new Int32Array(slotCount);
  }

  /** Distinct vertices so far. */
  get count(): number {
    return this.#count;
  }

  /** Forgets all vertices. */
  clear(): void {
    this.#count = 0;
    this.#generation++;
  }

  /** Numbers a vertex that the segment does not have: without a look, so that {@link numberOf} does not find it. */
  append(vertexId: number, instanceId: number): number {
    const number = this.#count++;
    this.vertexIds[number] = vertexId;
    this.instanceIds[number] = instanceId;
    return number;
  }

  /** The number of a vertex; `count` goes up when it is met for the first time. */
  numberOf(vertexId: number, instanceId: number): number {
    if (vertexId < DIRECT_VERTICES) {
      if (this.#directGenerations[vertexId] !== this.#generation) {
        const number = this.append(vertexId, instanceId);
        this.#directGenerations[vertexId] = this.#generation;
        this.#directNumbers[vertexId] = number;
        return number;
      }
      const number = this.#directNumbers[vertexId]!;
      if (this.instanceIds[number] === instanceId) return number;
    }
    return this.#findByHash(vertexId, instanceId);
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
