import { createHash } from 'node:crypto';
import type { Frame, Sha256 } from '@tessera/frame';

/**
 * Returns the SHA-256 of a frame: of its JSON, then of the bytes of its typed arrays in the order
 * of the JSON. In the JSON, resources are represented by their content hash, and typed arrays by
 * type and length.
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
 * Returns the value with typed arrays replaced by their descriptions, and appends the arrays to
 * `views` in the order of JSON. Returns the value itself if it has none. A replacer of
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
