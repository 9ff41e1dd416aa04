/** Graphs of values that a message contains: which objects they reach, and copies of them. */

/** Calls `visit` for each object that a value reaches. Objects that are leaves are not entered. */
export function visitObjects(value: unknown, visit: (object: object) => 'enter' | 'leaf'): void {
  const seen = new Set<unknown>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== 'object' || at === null || seen.has(at)) continue;
    seen.add(at);
    if (visit(at) === 'leaf' || isOpaque(at)) continue;
    if (at instanceof Map) for (const [key, each] of at) pending.push(key, each);
    else if (at instanceof Set) pending.push(...at);
    else if (Array.isArray(at)) for (const each of at) pending.push(each);
    else pending.push(...Object.values(at));
  }
}

/**
 * Copies arrays, maps, sets and plain objects, and replaces the objects that they reach.
 *
 * @param replacements Replacement by object.
 */
export function copyGraph(value: unknown, replacements: ReadonlyMap<object, object>): unknown {
  const copies = new Map<object, unknown>(replacements);
  const copy = (at: unknown): unknown => {
    if (typeof at !== 'object' || at === null) return at;
    if (copies.has(at)) return copies.get(at);
    if (isOpaque(at)) return at;
    if (at instanceof Map) {
      const made = new Map<unknown, unknown>();
      copies.set(at, made);
      for (const [key, each] of at) made.set(copy(key), copy(each));
      return made;
    }
    if (at instanceof Set) {
      const made = new Set<unknown>();
      copies.set(at, made);
      for (const each of at) made.add(copy(each));
      return made;
    }
    if (Array.isArray(at)) {
      const made: unknown[] = new Array(at.length);
      copies.set(at, made);
      for (const key of Object.keys(at)) made[key as unknown as number] = copy(at[Number(key)]);
      return made;
    }
    const made: Record<string, unknown> = {};
    copies.set(at, made);
    for (const [key, each] of Object.entries(at)) made[key] = copy(each);
    return made;
  };
  return copy(value);
}

/** Whether the structured clone of an object does not contain its properties. */
function isOpaque(object: object): boolean {
  return (
    ArrayBuffer.isView(object) ||
    object instanceof ArrayBuffer ||
    object instanceof SharedArrayBuffer ||
    object instanceof Blob ||
    object instanceof Date ||
    object instanceof Error ||
    object instanceof EventTarget ||
    object instanceof RegExp ||
    object instanceof WebAssembly.Module ||
    object instanceof WebAssembly.Memory
  );
}
