/** JSON pointers (RFC 6901) into a model. */

const SYNTAX = /^(?:\/(?:[^/~]|~0|~1)*)*$/;

/** Object or array that contains a value, and the key of the value in it. */
export interface PointerTarget {
  readonly container: Record<string, unknown>;
  readonly key: string;
}

/** Returns the keys of a pointer, `null` if it is not one. */
export function parseJsonPointer(pointer: string): readonly string[] | null {
  if (!SYNTAX.test(pointer)) return null;
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns what contains the value of a pointer, `null` if it does not exist. An element of an array
 * must exist; a member of an object may have a default value.
 */
export function findPointerTarget(json: unknown, keys: readonly string[]): PointerTarget | null {
  let container = json;
  for (const [i, key] of keys.entries()) {
    if (typeof container !== 'object' || container === null) return null;
    const isLast = i === keys.length - 1;
    const exists = Object.hasOwn(container, key) && !(Array.isArray(container) && key === 'length');
    // Members of the prototype, such as __proto__, are no members of the JSON.
    if (!exists && (!isLast || Array.isArray(container) || key in container)) return null;
    const members = container as Record<string, unknown>; // Arrays have their indices as keys.
    if (isLast) return { container: members, key };
    container = members[key];
  }
  return null;
}
