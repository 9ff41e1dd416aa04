/**
 * Vertices between `begin` and `end` (OpenGL 2.1, section 2.6), as columns of the attributes that
 * change there.
 */
import { GL } from '../../api/constants.ts';
import type {
  AttributeArray,
  AttributeInputs,
  AttributeKey,
  CurrentValue,
} from '../../objects/vertex-arrays/vertex-array.ts';
import { isMaterialAttribute } from './material-attributes.ts';
import { VectorColumn } from './vector-column.ts';

/** Vertices of one primitive, ready to draw. */
export interface ImmediatePrimitive {
  readonly mode: number;
  readonly count: number;
  readonly inputs: AttributeInputs;
  /** Returns whether outlines include the edge from a vertex. */
  readonly isEdge: (vertex: number) => boolean;
  /** Names of the attributes that are material parameters. */
  readonly materials: readonly string[];
}

/** Vertices of the open primitive. */
export class ImmediateVertices {
  #mode: number | null = null;
  #count = 0;
  #columns = new Map<AttributeKey, VectorColumn>();
  #hiddenEdges = new Set<number>();
  /** Current edge flag. */
  edgeFlag = true;

  get isOpen(): boolean {
    return this.#mode !== null;
  }

  get count(): number {
    return this.#count;
  }

  get mode(): number {
    return this.#mode ?? -1;
  }

  begin(mode: number): void {
    this.#mode = mode;
    this.#count = 0;
    this.#columns = new Map();
    this.#hiddenEdges = new Set();
  }

  /**
   * Registers an attribute that the primitive sets.
   *
   * @param before Previous value, which applies to the vertices so far.
   */
  change(key: AttributeKey, before: CurrentValue): void {
    if (this.#columns.has(key)) return;
    const column = new VectorColumn();
    for (let vertex = 0; vertex < this.#count; vertex++) column.push(before);
    this.#columns.set(key, column);
  }

  /**
   * Completes a vertex.
   *
   * @param currentValue Returns the value of an attribute that was set.
   */
  emit(position: CurrentValue, currentValue: (key: AttributeKey) => CurrentValue): void {
    if (!this.#columns.has('gl_Vertex')) this.#columns.set('gl_Vertex', new VectorColumn());
    for (const [key, column] of this.#columns) {
      column.push(key === 'gl_Vertex' ? position : currentValue(key));
    }
    if (!this.edgeFlag) this.#hiddenEdges.add(this.#count);
    this.#count++;
  }

  /**
   * Returns the primitive so far. The next `begin` starts another one.
   *
   * @param currentValue Returns the value of any other attribute.
   */
  end(currentValue: (key: AttributeKey) => CurrentValue): ImmediatePrimitive {
    const mode = this.#mode!;
    this.#mode = null;
    const hiddenEdges = this.#hiddenEdges;
    const arrays = new Map<AttributeKey, AttributeArray>();
    for (const [key, column] of this.#columns) arrays.set(key, arrayOf(column));
    const position = arrays.get('gl_Vertex');
    // A program may read the position as attribute 0.
    if (position !== undefined) arrays.set(0, position);
    return {
      mode,
      count: this.#count,
      inputs: { array: (key) => arrays.get(key) ?? DISABLED, currentValue },
      isEdge: (vertex) => !hiddenEdges.has(vertex),
      materials: [...this.#columns.keys()].filter(isMaterialAttribute),
    };
  }
}

function arrayOf(column: VectorColumn): AttributeArray {
  const { type, bytes } = column.pack();
  return {
    isEnabled: true,
    componentCount: column.isLastOne() ? 3 : 4,
    type,
    isNormalized: false,
    strideBytes: 16,
    storage: { kind: 'client', bytes },
    divisor: 0,
    known: null,
  };
}

const DISABLED: AttributeArray = {
  isEnabled: false,
  componentCount: 4,
  type: GL.FLOAT,
  isNormalized: false,
  strideBytes: 0,
  storage: null,
  divisor: 0,
  known: null,
};
