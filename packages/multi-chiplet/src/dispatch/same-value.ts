/** Comparison of plain data: numbers, texts, arrays, typed arrays and objects. */

/** Whether two values are equal, whatever the order of the fields of objects. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && isSameView(a, b);
  if (Array.isArray(a)) {
    const others = Array.isArray(b) ? b : [];
    return a.length === others.length && a.every((value, i) => isSameValue(value, others[i]));
  }
  const [fields, others] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && isSameValue(value, others.get(name)))
  );
}

/** Compares bytes, so that a NaN equals itself. */
function isSameView(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return a.constructor === b.constructor && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
