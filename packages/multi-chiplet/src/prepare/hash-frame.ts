import { createHash } from 'node:crypto';
import type { Frame, Sha256 } from '@tessera/frame';

/**
 * SHA-256 over everything that the frame holds: its JSON, in which resources stand for their content hash and arrays of numbers for their
 * type and length, then the bytes of these arrays in the order in which they are met.
 */
export function hashFrame(frame: Frame): Sha256 {
  const content = {
    ...frame,
    buffers: frame.buffers.map((buffer) => buffer.sha256),
    textures: frame.textures.map(({ levels: _levels, ...texture }) => texture),
  };
  const arrays: ArrayBufferView[] = [];
  const hash = createHash('sha256').update(JSON.stringify(withoutViews(content, arrays)));
  for (const { buffer, byteOffset, byteLength } of arrays) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex');
}

/**
 * The value with arrays of numbers replaced by what they are, and these in the order of JSON; itself where there are none. A replacer of
 * `JSON.stringify` would be called for every number of a frame.
 */
function withoutViews(value: unknown, views: ArrayBufferView[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    views.push(value);
    return `${value.constructor.name} of ${value.byteLength} bytes`;
  }
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') return value;
    let copy: unknown[] | null = null;
    for (let i = 0; i < value.length; i++) {
      const replaced = withoutViews(value[i], views);
      if (replaced !== value[i]) {
        copy ??= value.slice();
        copy[i] = replaced;
      }
    }
    return copy ?? value;
  }
  const record = value as Record<string, unknown>;
  let copy: Record<string, unknown> | null = null;
  for (const key in record) {
    const replaced = withoutViews(record[key], views);
    if (replaced !== record[key]) {
      copy ??= { ...record };
      copy[key] = replaced;
    }
  }
  return copy ?? value;
}
