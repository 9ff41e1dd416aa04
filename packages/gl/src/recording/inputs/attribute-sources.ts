/**
 * Converts vertex arrays to attribute sources of a frame. Component types that frames do not
 * support become 32-bit floats.
 */
import { type AttributeSource, type ComponentType, RenderError } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import type { ActiveAttribute } from '../../objects/programs/program-objects.ts';
import {
  ATTRIBUTE_TYPE_BYTES,
  type AttributeArray,
  type AttributeInputs,
  type AttributeKey,
  type CurrentValue,
} from '../../objects/vertex-arrays/vertex-array.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';

/** Range of elements that a draw reads: vertices up to the last one, and instances. */
export interface DrawnElements {
  /** Largest vertex index, or −1 if nothing is drawn. */
  readonly lastVertex: number;
  readonly instanceCount: number;
  /** Element of instanced arrays that the first instance reads (ARB_base_instance). */
  readonly baseInstance: number;
}

/** Returns the elements of an array that a draw reads first and last. */
function rangeOf(divisor: number, drawn: DrawnElements): { base: number; last: number } {
  if (divisor === 0) return { base: 0, last: drawn.lastVertex };
  const { baseInstance: base, instanceCount } = drawn;
  return { base, last: base + Math.floor((instanceCount - 1) / divisor) };
}

const COMPONENT_TYPE_BY_ENUM: ReadonlyMap<number, ComponentType> = new Map([
  [GL.BYTE, 'int8'],
  [GL.UNSIGNED_BYTE, 'uint8'],
  [GL.SHORT, 'int16'],
  [GL.UNSIGNED_SHORT, 'uint16'],
  [GL.INT, 'int32'],
  [GL.UNSIGNED_INT, 'uint32'],
  [GL.FLOAT, 'float32'],
]);

/** Readers of component types that frames do not support. */
const FLOAT_READERS: ReadonlyMap<number, (view: DataView, at: number) => number> = new Map([
  [GL.HALF_FLOAT, (view, at) => view.getFloat16(at, true)],
  [GL.HALF_FLOAT_OES, (view, at) => view.getFloat16(at, true)],
  [GL.FIXED, (view, at) => view.getInt32(at, true) / 65536],
  [GL.DOUBLE, (view, at) => view.getFloat64(at, true)],
]);

/** Reads a byte of a BGRA array, which is normalized. */
const readUnitByte = (view: DataView, at: number): number => view.getUint8(at) / 255;

/**
 * Returns the sources by attribute name, or the reason why a draw cannot use the arrays. An array
 * is unusable if it is missing or ends before the last element.
 */
export function collectAttributeSources(
  attributes: AttributeElements,
  inputs: AttributeInputs,
  drawn: DrawnElements,
  assembler: FrameAssembler,
): Readonly<Record<string, AttributeSource>> | string {
  const { names, locations } = attributes;
  for (let index = 0; index < names.length; index++) {
    const location = locations[index]!;
    const array = inputs.array(location);
    if (array === null) throw new RenderError('FRAME_UNSUPPORTED', `attribute ${location}`);
    const source = array.isEnabled
      ? findArraySource(array, drawn, assembler)
      : attributes.constantOf(index, inputs.currentValue(location));
    if (typeof source === 'string') return `attribute ${names[index]}: ${source}`;
    attributes.take(index, source);
  }
  return attributes.sources();
}

interface NamedInput {
  readonly name: string;
  readonly location: AttributeKey;
}

/**
 * Attributes of a program, with the sources that its last draw read. Unchanged sources are shared
 * between draws.
 */
export class AttributeElements {
  /** Names in the frame. A matrix has one name per column. */
  readonly names: readonly string[];
  readonly locations: readonly AttributeKey[];
  readonly #taken: AttributeSource[] = [];
  #sources: Record<string, AttributeSource> | null = null;

  constructor(attributes: readonly ActiveAttribute[]) {
    const inputs = attributes.flatMap(({ reflected, location }): NamedInput[] => {
      const { name, locationCount } = reflected;
      if (location === null) return [{ name, location: name }];
      return Array.from({ length: locationCount }, (_, column) => ({
        name: locationCount === 1 ? name : `${name}[${column}]`,
        location: location + column,
      }));
    });
    this.names = inputs.map(({ name }) => name);
    this.locations = inputs.map(({ location }) => location);
  }

  take(index: number, source: AttributeSource): void {
    if (this.#taken[index] === source) return;
    this.#taken[index] = source;
    this.#sources = null;
  }

  constantOf(index: number, value: CurrentValue): AttributeSource {
    const taken = this.#taken[index];
    return taken?.kind === 'constant' && taken.value === value
      ? taken
      : { kind: 'constant', value };
  }

  sources(): Record<string, AttributeSource> {
    if (this.#sources === null) {
      this.#sources = {};
      for (const [index, name] of this.names.entries()) this.#sources[name] = this.#taken[index]!;
    }
    return this.#sources;
  }
}

/** Returns an attribute source. Returns the same object until the array or its buffer changes. */
function findArraySource(
  array: AttributeArray,
  drawn: DrawnElements,
  assembler: FrameAssembler,
): AttributeSource | string {
  const { storage, divisor } = array;
  const { known } = array;
  if (known !== null && storage?.kind === 'buffer') {
    const { source, type, givenStrideBytes, elementBytes } = known;
    const { base, last } = rangeOf(divisor, drawn);
    const isSame =
      type === array.type &&
      givenStrideBytes === array.strideBytes &&
      source.componentCount === array.componentCount &&
      source.isNormalized === array.isNormalized &&
      source.instanceDivisor === divisor &&
      source.offsetBytes === storage.offsetBytes + base * source.strideBytes &&
      array.isBgra !== true;
    if (isSame) {
      const bytes = storage.buffer.share();
      const endBytes = storage.offsetBytes + last * source.strideBytes + elementBytes;
      if (endBytes <= bytes.length && assembler.addBuffer(bytes) === source.bufferIndex)
        return source;
    }
  }
  const made = makeArraySource(array, drawn, assembler);
  const isPlain =
    storage?.kind === 'buffer' && COMPONENT_TYPE_BY_ENUM.has(array.type) && array.isBgra !== true;
  if (typeof made !== 'string' && made.kind === 'buffer' && isPlain) {
    const elementBytes = ATTRIBUTE_TYPE_BYTES.get(array.type)! * array.componentCount;
    const { type, strideBytes: givenStrideBytes } = array;
    array.known = { type, givenStrideBytes, elementBytes, source: made };
  }
  return made;
}

function makeArraySource(
  array: AttributeArray,
  drawn: DrawnElements,
  assembler: FrameAssembler,
): AttributeSource | string {
  const { storage, type, componentCount, divisor } = array;
  if (storage === null) return 'the array is enabled but no buffer is bound to it';
  const bytes = storage.kind === 'buffer' ? storage.buffer.share() : storage.bytes;
  const startBytes = storage.kind === 'buffer' ? storage.offsetBytes : 0;
  const elementBytes = ATTRIBUTE_TYPE_BYTES.get(type)! * componentCount;
  const strideBytes = array.strideBytes === 0 ? elementBytes : array.strideBytes;
  const { base, last } = rangeOf(divisor, drawn);
  const offsetBytes = startBytes + base * strideBytes;
  const endBytes = startBytes + last * strideBytes + elementBytes;
  if (endBytes > bytes.length) {
    return `element ${last} ends at byte ${endBytes} of ${bytes.length}`;
  }
  const componentType = array.isBgra === true ? undefined : COMPONENT_TYPE_BY_ENUM.get(type);
  const shared = { kind: 'buffer', componentCount, instanceDivisor: divisor } as const;
  if (componentType !== undefined) {
    const { isNormalized } = array;
    const bufferIndex = assembler.addBuffer(bytes);
    return { ...shared, bufferIndex, offsetBytes, strideBytes, componentType, isNormalized };
  }
  const floats = readAsFloats(
    bytes.subarray(offsetBytes),
    last - base + 1,
    componentCount,
    strideBytes,
    array,
  );
  if (array.isBgra === true) swapRedAndBlue(floats);
  return {
    ...shared,
    bufferIndex: assembler.addBuffer(new Uint8Array(floats.buffer)),
    offsetBytes: 0,
    strideBytes: componentCount * 4,
    componentType: 'float32',
    isNormalized: false,
  };
}

function readAsFloats(
  bytes: Uint8Array,
  elementCount: number,
  componentCount: number,
  strideBytes: number,
  { type, isNormalized }: AttributeArray,
): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = type === GL.UNSIGNED_BYTE ? readUnitByte : FLOAT_READERS.get(type);
  if (read === undefined) return readPacked(view, elementCount, strideBytes, type, isNormalized);
  const typeBytes = ATTRIBUTE_TYPE_BYTES.get(type)!;
  const floats = new Float32Array(elementCount * componentCount);
  for (let element = 0; element < elementCount; element++) {
    for (let component = 0; component < componentCount; component++) {
      const at = element * strideBytes + component * typeBytes;
      floats[element * componentCount + component] = read(view, at);
    }
  }
  return floats;
}

/** Swaps the first and third component of vectors of four. */
function swapRedAndBlue(floats: Float32Array): void {
  for (let at = 0; at < floats.length; at += 4) {
    const blue = floats[at]!;
    floats[at] = floats[at + 2]!;
    floats[at + 2] = blue;
  }
}

/** Returns a reader of packed components of 10, 10, 10 and 2 bits, starting at the lowest bit. */
function readPacked(
  view: DataView,
  elementCount: number,
  strideBytes: number,
  type: number,
  isNormalized: boolean,
): Float32Array<ArrayBuffer> {
  const isSigned = type === GL.INT_2_10_10_10_REV;
  const floats = new Float32Array(elementCount * 4);
  for (let element = 0; element < elementCount; element++) {
    const word = view.getUint32(element * strideBytes, true);
    for (let component = 0; component < 4; component++) {
      const width = component === 3 ? 2 : 10;
      const left = 32 - width - component * 10;
      const raw = isSigned ? (word << left) >> (32 - width) : (word << left) >>> (32 - width);
      const largest = 2 ** (isSigned ? width - 1 : width) - 1;
      floats[element * 4 + component] = isNormalized ? Math.max(-1, raw / largest) : raw;
    }
  }
  return floats;
}
