/** `getExtension` and `getSupportedExtensions` (WebGL 1.0, section 5.14.14). */
import { CORE, type ContextObject, checkArguments } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';
import { formsOf } from '../context/convert-arguments.ts';
import { interfaceOf } from '../interface/newer-extensions.ts';
import type { ExtensionEntry } from './extension-entry.ts';
import { EXTENSIONS } from './extension-table.ts';

/** Returns the names of all extensions that `getExtension` accepts in this context. */
export function listSupportedExtensions(core: ContextCore): string[] {
  return [...EXTENSIONS.keys()].filter((name) => findEntry(core, name) !== null);
}

/**
 * Enables an extension and returns its object, the same object on every call. Returns `null` if the
 * context does not support the extension.
 */
export function getExtension(core: ContextCore, name: string): object | null {
  const canonicalName = findCanonicalName(name);
  const entry = canonicalName === null ? null : findEntry(core, canonicalName);
  if (canonicalName === null || entry === null) return null;
  const enabled = core.extensions.find(canonicalName);
  if (enabled !== undefined) return enabled;
  const object = createExtensionObject(core, canonicalName, entry);
  core.extensions.add(canonicalName, object, entry);
  entry.enable?.(core);
  for (const impliedName of entry.implies ?? []) getExtension(core, impliedName);
  return object;
}

/** Returns the canonical name of an extension, or `null`. The comparison ignores case. */
function findCanonicalName(name: string): string | null {
  const lower = name.toLowerCase();
  for (const canonical of EXTENSIONS.keys()) {
    if (canonical.toLowerCase() === lower) return canonical;
  }
  return null;
}

function findEntry(core: ContextCore, name: string): ExtensionEntry | null {
  const entry = EXTENSIONS.get(name);
  const isOffered =
    entry?.versions.includes(core.rules.version) === true &&
    (entry.needsTime !== true || core.hasSimulatedTime);
  return isOffered ? entry : null;
}

/**
 * Creates an object of its own class, named after the extension, with constants and methods on the
 * prototype.
 */
function createExtensionObject(core: ContextCore, name: string, entry: ExtensionEntry): object {
  const { constants, methods, parameters } = interfaceOf(name);
  const prototype: object = {};
  for (const [constant, value] of Object.entries(constants)) {
    Object.defineProperty(prototype, constant, { value, enumerable: true });
  }
  for (const [method, call] of Object.entries(entry.calls ?? {})) {
    const forms = formsOf(method, parameters);
    const value = checkArguments(method, call, methods[method] ?? 0, forms);
    Object.defineProperty(prototype, method, { value, enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name });
  const object: ContextObject = Object.create(prototype, { [CORE]: { value: core } });
  return object;
}
