/**
 * Reads vertex attributes into the input layout of the vertex kernels: input j of vertex v is the
 * word `(v >> 2) × 4 × inputCount + 4 j + (v & 3)`. Inputs are the program's `inputSlots` in order,
 * then vertex id and instance id if the program uses them.
 *
 * A read past the end of a buffer returns 0, as robust buffer access requires.
 */
import type {
  BufferResource,
  ComponentType,
  IsaProgram,
  PreparedAttribute,
  ShaderScalarType,
} from '@tessera/frame';
import { COMPONENT_TYPES } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';

/** Attribute component that the program reads. */
interface FetchComponent {
  /** Position among the kernel's inputs. */
  readonly input: number;
  /** Component of the attribute in the buffer; −1 if the buffer does not have it. */
  readonly component: number;
  /** Bits written for a missing component: 0 or 1 in the type of the input. */
  readonly missingBits: number;
}

interface BufferFetch {
  readonly bufferIndex: number;
  readonly components: readonly FetchComponent[];
  readonly bytes: DataView;
  readonly offsetBytes: number;
  readonly strideBytes: number;
  readonly componentType: ComponentType;
  readonly componentBytes: number;
  readonly isNormalized: boolean;
  readonly scalarType: ShaderScalarType;
  readonly instanceDivisor: number;
  /** Whole buffer as floats, if offset and stride allow it; otherwise `null`. */
  readonly floats: Float32Array | null;
}

/** Inputs with the same value for all vertices. */
interface ConstantFetch {
  readonly input: number;
  readonly bits: number;
}

/** Plan for fetching the inputs of one program for one draw. */
export interface FetchPlan {
  readonly inputCount: number;
  readonly buffers: readonly BufferFetch[];
  readonly constants: readonly ConstantFetch[];
  /** Position of the vertex id among the inputs, or −1. */
  readonly vertexIdInput: number;
  readonly instanceIdInput: number;
}

const wordBytes = new DataView(new ArrayBuffer(4));

function floatBits(value: number): number {
  wordBytes.setFloat32(0, value);
  return wordBytes.getInt32(0);
}

function constantBits(value: number, scalarType: ShaderScalarType): number {
  return scalarType === 'float' ? floatBits(value) : value | 0;
}

const inputsBySlotByProgram = new WeakMap<IsaProgram, ReadonlyMap<number, number>>();

/** Returns the positions of a program's inputs by slot, computed once per program. */
function inputsBySlotOf(program: IsaProgram): ReadonlyMap<number, number> {
  const found = inputsBySlotByProgram.get(program);
  if (found !== undefined) return found;
  const made = new Map(program.inputSlots.map((slot, input) => [slot, input]));
  inputsBySlotByProgram.set(program, made);
  return made;
}

/** Plans the fetch of a draw's attributes for one of its program's vertex stages. */
export function planVertexFetch(
  program: IsaProgram,
  attributes: readonly PreparedAttribute[],
  buffers: readonly BufferResource[],
): FetchPlan {
  const inputBySlot = inputsBySlotOf(program);
  const isFed = new Uint8Array(program.inputSlots.length);
  const bufferFetches: BufferFetch[] = [];
  const constants: ConstantFetch[] = [];
  for (const attribute of attributes) {
    const { firstSlot, componentCount, scalarType, source } = attribute;
    const components: FetchComponent[] = [];
    for (let c = 0; c < componentCount; c++) {
      const input = inputBySlot.get(firstSlot + c);
      if (input === undefined || isFed[input] === 1) continue;
      isFed[input] = 1;
      if (source.kind === 'constant') {
        constants.push({ input, bits: constantBits(source.value[c]!, scalarType) });
      } else {
        const isMissing = c >= source.componentCount;
        const missingBits = constantBits(c === 3 ? 1 : 0, scalarType);
        components.push({ input, component: isMissing ? -1 : c, missingBits });
      }
    }
    if (source.kind === 'constant' || components.length === 0) continue;
    const buffer = buffers[source.bufferIndex];
    if (buffer === undefined)
      throw new Error(`vertex fetch: buffer ${source.bufferIndex} does not exist`);
    bufferFetches.push(planBuffer(buffer.bytes, source, scalarType, components));
  }
  // Inputs without an attribute read 0, 0, 0, 1.
  for (let input = 0; input < isFed.length; input++) {
    if (isFed[input] === 1) continue;
    constants.push({ input, bits: program.inputSlots[input]! % 4 === 3 ? floatBits(1) : 0 });
  }
  let inputCount = program.inputSlots.length;
  const vertexIdInput = program.usesVertexId ? inputCount++ : -1;
  const instanceIdInput = program.usesInstanceId ? inputCount++ : -1;
  return { inputCount, buffers: bufferFetches, constants, vertexIdInput, instanceIdInput };
}

function planBuffer(
  bytes: Uint8Array,
  source: Extract<PreparedAttribute['source'], { kind: 'buffer' }>,
  scalarType: ShaderScalarType,
  components: readonly FetchComponent[],
): BufferFetch {
  const start = bytes.byteOffset + source.offsetBytes;
  const isWordAligned =
    source.componentType === 'float32' &&
    scalarType === 'float' &&
    start % 4 === 0 &&
    bytes.byteOffset % 4 === 0 &&
    source.strideBytes % 4 === 0;
  return {
    bufferIndex: source.bufferIndex,
    components,
    bytes: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offsetBytes: source.offsetBytes,
    strideBytes: source.strideBytes,
    componentType: source.componentType,
    componentBytes: COMPONENT_TYPES[source.componentType].bytes,
    isNormalized: source.isNormalized,
    scalarType,
    instanceDivisor: source.instanceDivisor,
    floats: isWordAligned
      ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
      : null,
  };
}

/**
 * Fetches vertices 0 to `count` − 1 into the vertex input pool. Unused lanes of the last group of
 * four repeat the last vertex.
 */
export function fetchVertices(
  memory: ChipletMemory,
  plan: FetchPlan,
  vertexIds: Uint32Array,
  instanceIds: Uint32Array,
  count: number,
): void {
  const { i32 } = memory;
  const base = memory.vertexInputPtr >> 2;
  const groupWords = 4 * plan.inputCount;
  const groupCount = (count + 3) >> 2;
  for (const { input, bits } of plan.constants) {
    for (let group = 0; group < groupCount; group++) {
      const at = base + group * groupWords + 4 * input;
      i32[at] = bits;
      i32[at + 1] = bits;
      i32[at + 2] = bits;
      i32[at + 3] = bits;
    }
  }
  for (const fetch of plan.buffers) {
    if (fetch.floats !== null && fetch.instanceDivisor <= 1) {
      const elements = fetch.instanceDivisor === 0 ? vertexIds : instanceIds;
      fetchFloats(memory, base, groupWords, fetch, fetch.floats, elements, count);
    } else {
      fetchGeneral(memory, base, groupWords, fetch, vertexIds, instanceIds, count);
    }
  }
  if (plan.vertexIdInput >= 0) {
    writeIds(i32, base + 4 * plan.vertexIdInput, groupWords, vertexIds, count);
  }
  if (plan.instanceIdInput >= 0) {
    writeIds(i32, base + 4 * plan.instanceIdInput, groupWords, instanceIds, count);
  }
  if ((count & 3) !== 0) repeatLastLane(i32, base + (groupCount - 1) * groupWords, plan, count & 3);
}

function writeIds(
  i32: Int32Array,
  at: number,
  groupWords: number,
  ids: Uint32Array,
  count: number,
): void {
  for (let v = 0; v < count; v++) i32[at + (v >> 2) * groupWords + (v & 3)] = ids[v]!;
}

function repeatLastLane(i32: Int32Array, at: number, plan: FetchPlan, lanes: number): void {
  for (let input = 0; input < plan.inputCount; input++) {
    const word = at + 4 * input;
    for (let lane = lanes; lane < 4; lane++) i32[word + lane] = i32[word + lanes - 1]!;
  }
}

/**
 * Fetches aligned floats with one value per vertex or per instance, the common cases.
 *
 * @param elements Index of the value by vertex.
 */
function fetchFloats(
  { f32, i32 }: ChipletMemory,
  base: number,
  groupWords: number,
  fetch: BufferFetch,
  floats: Float32Array,
  elements: Uint32Array,
  count: number,
): void {
  const strideWords = fetch.strideBytes >> 2;
  const { components } = fetch;
  const last = largestOf(elements, count) * strideWords;
  for (let c = 0; c < components.length; ) {
    const { input, component, missingBits } = components[c]!;
    const at = base + 4 * input;
    if (component < 0) {
      for (let v = 0; v < count; v++) i32[at + (v >> 2) * groupWords + (v & 3)] = missingBits;
      c++;
      continue;
    }
    let width = 1;
    while (width < 4 && follows(components[c + width - 1], components[c + width])) width++;
    const start = (fetch.offsetBytes >> 2) + component;
    const isInside = start + last + width <= floats.length;
    const copy = isInside ? COPY_BY_WIDTH[width - 1]! : copyWhatExists;
    copy(f32, floats, elements, count, { at, groupWords, start, strideWords, width });
    c += width;
  }
}

/** Places of consecutive components, in words. */
interface ComponentPlaces {
  /** Place of the first component of vertex 0. */
  readonly at: number;
  readonly groupWords: number;
  /** Place of the first component of element 0 in the buffer. */
  readonly start: number;
  readonly strideWords: number;
  /** Number of components. */
  readonly width: number;
}

type CopyComponents = (
  f32: Float32Array,
  floats: Float32Array,
  elements: Uint32Array,
  count: number,
  places: ComponentPlaces,
) => void;

/** Copies of 1 to 4 components whose elements are all inside of the buffer. */
const COPY_BY_WIDTH: readonly CopyComponents[] = [
  (f32, floats, elements, count, { at, groupWords, start, strideWords }) => {
    for (let v = 0; v < count; v++) {
      f32[at + (v >> 2) * groupWords + (v & 3)] = floats[start + elements[v]! * strideWords]!;
    }
  },
  (f32, floats, elements, count, { at, groupWords, start, strideWords }) => {
    for (let v = 0; v < count; v++) {
      const from = start + elements[v]! * strideWords;
      const to = at + (v >> 2) * groupWords + (v & 3);
      f32[to] = floats[from]!;
      f32[to + 4] = floats[from + 1]!;
    }
  },
  (f32, floats, elements, count, { at, groupWords, start, strideWords }) => {
    for (let v = 0; v < count; v++) {
      const from = start + elements[v]! * strideWords;
      const to = at + (v >> 2) * groupWords + (v & 3);
      f32[to] = floats[from]!;
      f32[to + 4] = floats[from + 1]!;
      f32[to + 8] = floats[from + 2]!;
    }
  },
  (f32, floats, elements, count, { at, groupWords, start, strideWords }) => {
    for (let v = 0; v < count; v++) {
      const from = start + elements[v]! * strideWords;
      const to = at + (v >> 2) * groupWords + (v & 3);
      f32[to] = floats[from]!;
      f32[to + 4] = floats[from + 1]!;
      f32[to + 8] = floats[from + 2]!;
      f32[to + 12] = floats[from + 3]!;
    }
  },
];

/** Copies the components inside of the buffer; the others are 0. */
const copyWhatExists: CopyComponents = (
  f32,
  floats,
  elements,
  count,
  { at, groupWords, start, strideWords, width },
) => {
  for (let v = 0; v < count; v++) {
    const to = at + (v >> 2) * groupWords + (v & 3);
    for (let c = 0; c < width; c++) {
      f32[to + 4 * c] = floats[start + elements[v]! * strideWords + c] ?? 0;
    }
  }
};

function largestOf(elements: Uint32Array, count: number): number {
  let largest = 0;
  for (let v = 0; v < count; v++) if (elements[v]! > largest) largest = elements[v]!;
  return largest;
}

/** Returns whether a component directly follows another in the buffer and among the inputs. */
function follows(
  before: FetchComponent | undefined,
  component: FetchComponent | undefined,
): boolean {
  return (
    before !== undefined &&
    component !== undefined &&
    component.component === before.component + 1 &&
    component.input === before.input + 1
  );
}

/** Fetches any component type, alignment and divisor. */
function fetchGeneral(
  memory: ChipletMemory,
  base: number,
  groupWords: number,
  fetch: BufferFetch,
  vertexIds: Uint32Array,
  instanceIds: Uint32Array,
  count: number,
): void {
  const { f32, i32 } = memory;
  const { bytes, componentType, componentBytes, instanceDivisor } = fetch;
  for (const { input, component, missingBits } of fetch.components) {
    const start = fetch.offsetBytes + component * componentBytes;
    for (let v = 0; v < count; v++) {
      const at = base + 4 * input + (v >> 2) * groupWords + (v & 3);
      if (component < 0) {
        i32[at] = missingBits;
        continue;
      }
      const element =
        instanceDivisor === 0 ? vertexIds[v]! : Math.floor(instanceIds[v]! / instanceDivisor);
      const from = start + element * fetch.strideBytes;
      if (from + componentBytes > bytes.byteLength) {
        i32[at] = 0;
        continue;
      }
      const value = readComponent(bytes, from, componentType);
      if (fetch.scalarType !== 'float') i32[at] = value;
      else f32[at] = fetch.isNormalized ? normalizeComponent(value, componentType) : value;
    }
  }
}

function readComponent(bytes: DataView, at: number, type: ComponentType): number {
  switch (type) {
    case 'float32':
      return bytes.getFloat32(at, true);
    case 'int8':
      return bytes.getInt8(at);
    case 'uint8':
      return bytes.getUint8(at);
    case 'int16':
      return bytes.getInt16(at, true);
    case 'uint16':
      return bytes.getUint16(at, true);
    case 'int32':
      return bytes.getInt32(at, true);
    case 'uint32':
      return bytes.getUint32(at, true);
  }
}

/**
 * Normalizes an integer (GL ES 3.0, section 2.1.6.1): unsigned c / (2^b − 1), signed max(c /
 * (2^(b−1) − 1), −1).
 */
export function normalizeComponent(value: number, type: ComponentType): number {
  switch (type) {
    case 'float32':
      return value;
    case 'int8':
      return Math.max(value / 127, -1);
    case 'uint8':
      return value / 255;
    case 'int16':
      return Math.max(value / 32_767, -1);
    case 'uint16':
      return value / 65_535;
    case 'int32':
      return Math.max(value / 2_147_483_647, -1);
    case 'uint32':
      return value / 4_294_967_295;
  }
}
