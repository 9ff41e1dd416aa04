/**
 * Combines consecutive immediate-mode primitives with the same state into one draw. Old programs
 * submit a few vertices between `glBegin` and `glEnd`, thousands of times per frame.
 */
import type { AttributeSource, Draw, Topology } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import type { ActiveAttribute } from '../../objects/programs/program-objects.ts';
import type { AttributeInputs } from '../../objects/vertex-arrays/vertex-array.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';

/** Upper bound on the vertices of a batch. More vertices become several draws. */
const MAX_BATCH_VERTICES = 1 << 16;
const VECTOR_BYTES = 16;

/** Draw without its vertices, which form a list of points, lines or triangles. */
export type BatchedDraw = Omit<
  Draw,
  'first' | 'count' | 'indices' | 'edgeFlags' | 'instanceCount' | 'attributes'
>;

/** Vertices of one primitive, with four floats per attribute and vertex. */
export interface BatchedPrimitive {
  readonly topology: Topology;
  readonly vertices: Uint32Array;
  /** Edge flags of triangles that are drawn as lines or points. */
  readonly edgeFlags?: Uint8Array;
  readonly vertexCount: number;
  readonly inputs: AttributeInputs;
}

/** Batch of immediate-mode primitives. */
export class ImmediateBatch {
  readonly draw: BatchedDraw;
  readonly #key: string;
  readonly #columns: ReadonlyMap<string, Float32Array[]>;
  readonly #indices: Uint32Array[] = [];
  readonly #edgeFlags: Uint8Array[] = [];
  #vertexCount = 0;

  constructor(draw: BatchedDraw, attributes: readonly ActiveAttribute[]) {
    this.draw = draw;
    this.#key = keyOf(draw);
    this.#columns = new Map(attributes.map(({ reflected }) => [reflected.name, []]));
  }

  /** Whether the batch can include the primitives of another draw. */
  accepts(draw: BatchedDraw, { vertexCount }: BatchedPrimitive): boolean {
    return this.#vertexCount + vertexCount <= MAX_BATCH_VERTICES && this.#key === keyOf(draw);
  }

  add(
    { vertices, edgeFlags, vertexCount, inputs }: BatchedPrimitive,
    attributes: readonly ActiveAttribute[],
  ): void {
    // All primitives of a batch have edge flags, or none, because they have the same state.
    if (edgeFlags !== undefined) this.#edgeFlags.push(edgeFlags);
    for (const { reflected, location } of attributes) {
      this.#columns
        .get(reflected.name)!
        .push(columnOf(inputs, location ?? reflected.name, vertexCount));
    }
    const first = this.#vertexCount;
    this.#indices.push(first === 0 ? vertices : vertices.map((vertex) => first + vertex));
    this.#vertexCount += vertexCount;
  }

  finish(assembler: FrameAssembler): Draw {
    const attributes: Record<string, AttributeSource> = {};
    for (const [name, parts] of this.#columns) {
      attributes[name] = {
        kind: 'buffer',
        bufferIndex: assembler.addBuffer(join(parts)),
        offsetBytes: 0,
        strideBytes: VECTOR_BYTES,
        componentType: 'float32',
        componentCount: 4,
        isNormalized: false,
        instanceDivisor: 0,
      };
    }
    const indices = join(this.#indices);
    return {
      ...this.draw,
      first: 0,
      count: indices.length / 4,
      indices: {
        bufferIndex: assembler.addBuffer(indices),
        offsetBytes: 0,
        componentType: 'uint32',
      },
      ...(this.#edgeFlags.length === 0
        ? {}
        : {
            edgeFlags: { bufferIndex: assembler.addBuffer(join(this.#edgeFlags)), offsetBytes: 0 },
          }),
      instanceCount: 1,
      attributes,
    };
  }
}

/**
 * Returns whether all attributes of a program are float vectors with a location or a built-in name.
 */
export function areBatchable(attributes: readonly ActiveAttribute[]): boolean {
  return attributes.every(
    ({ reflected }) => reflected.locationCount === 1 && reflected.scalarType === 'float',
  );
}

function keyOf({ programIndex, topology, uniforms, textures, state }: BatchedDraw): string {
  const values = Object.entries(uniforms).map(([name, value]) => [name, Array.from(value)]);
  return JSON.stringify([programIndex, topology, values, textures, state]);
}

function columnOf(inputs: AttributeInputs, key: number | string, count: number): Float32Array {
  const array = inputs.array(key);
  if (array?.isEnabled === true && array.storage?.kind === 'client') {
    const { bytes } = array.storage;
    if (array.type === GL.INT) {
      return Float32Array.from(new Int32Array(bytes.buffer, bytes.byteOffset, count * 4));
    }
    if (array.type === GL.UNSIGNED_INT) {
      return Float32Array.from(new Uint32Array(bytes.buffer, bytes.byteOffset, count * 4));
    }
    return new Float32Array(bytes.buffer, bytes.byteOffset, count * 4);
  }
  const value = inputs.currentValue(key);
  const column = new Float32Array(count * 4);
  for (let vertex = 0; vertex < count; vertex++) column.set(value, vertex * 4);
  return column;
}

function join(parts: readonly (Float32Array | Uint32Array | Uint8Array)[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}
