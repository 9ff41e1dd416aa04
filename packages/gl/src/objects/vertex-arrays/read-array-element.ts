/** Reads one element of a vertex array as four floats. */
import { GL } from '../../api/constants.ts';
import { ATTRIBUTE_TYPE_BYTES, type AttributeArray } from './vertex-array.ts';

/**
 * Readers of components, with the divisor of normalized values; 0 for types that cannot be
 * normalized.
 */
const READERS: ReadonlyMap<
  number,
  readonly [read: (view: DataView, at: number) => number, divisor: number]
> = new Map<number, readonly [(view: DataView, at: number) => number, number]>([
  [GL.BYTE, [(view, at) => view.getInt8(at), 127]],
  [GL.UNSIGNED_BYTE, [(view, at) => view.getUint8(at), 255]],
  [GL.SHORT, [(view, at) => view.getInt16(at, true), 32767]],
  [GL.UNSIGNED_SHORT, [(view, at) => view.getUint16(at, true), 65535]],
  [GL.INT, [(view, at) => view.getInt32(at, true), 2147483647]],
  [GL.UNSIGNED_INT, [(view, at) => view.getUint32(at, true), 4294967295]],
  [GL.FLOAT, [(view, at) => view.getFloat32(at, true), 0]],
  [GL.DOUBLE, [(view, at) => view.getFloat64(at, true), 0]],
  [GL.HALF_FLOAT, [(view, at) => view.getFloat16(at, true), 0]],
  [GL.HALF_FLOAT_OES, [(view, at) => view.getFloat16(at, true), 0]],
  [GL.FIXED, [(view, at) => view.getInt32(at, true) / 65536, 0]],
]);

/**
 * Returns an element as four floats, where missing components are 0, 0 and 1. Returns `null` if the
 * array is disabled or ends before the element.
 */
export function readArrayElement(array: AttributeArray, element: number): number[] | null {
  const { isEnabled, storage, type, componentCount, isNormalized } = array;
  if (!isEnabled || storage === null || element < 0) return null;
  const bytes = storage.kind === 'buffer' ? storage.buffer.share() : storage.bytes;
  const typeBytes = ATTRIBUTE_TYPE_BYTES.get(type)!;
  const strideBytes = array.strideBytes === 0 ? typeBytes * componentCount : array.strideBytes;
  const at = (storage.kind === 'buffer' ? storage.offsetBytes : 0) + element * strideBytes;
  if (at + typeBytes * componentCount > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [read, divisor] = READERS.get(type)!;
  const value = [0, 0, 0, 1];
  for (let i = 0; i < componentCount; i++) {
    const component = read(view, at + i * typeBytes);
    value[i] = isNormalized && divisor > 0 ? Math.max(-1, component / divisor) : component;
  }
  if (array.isBgra === true) [value[0], value[2]] = [value[2]!, value[0]!];
  return value;
}
