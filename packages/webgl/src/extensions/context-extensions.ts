/** Extensions of a context: which there are, which are switched on, and their objects (WebGL 1.0, section 5.14.14). */
import { CORE, type ContextObject, checkArguments } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';
import { WEBGL_EXTENSIONS } from '../interface/webgl-interface.ts';
import { EXTENSIONS, type ExtensionEntry } from './extension-table.ts';

interface InterfaceEntry {
  readonly constants: Readonly<Record<string, number>>;
  readonly methods: Readonly<Record<string, number>>;
}

const INTERFACES: Readonly<Record<string, InterfaceEntry>> = WEBGL_EXTENSIONS;

export class ContextExtensions {
  readonly #core: ContextCore;
  readonly #objects = new Map<string, object>();
  readonly #shaderNames: Set<string>;

  /** @param shaderNames Filled with the names of GLSL that `#extension` may turn on. */
  constructor(core: ContextCore, shaderNames: Set<string>) {
    this.#core = core;
    this.#shaderNames = shaderNames;
  }

  /** Names of all that `get` can give. */
  supported(): string[] {
    return [...EXTENSIONS.keys()].filter((name) => this.#find(name) !== null);
  }

  /** All objects but that of the extension `except`. */
  listObjects(except: string): object[] {
    return [...this.#objects].flatMap(([name, object]) => (name === except ? [] : [object]));
  }

  /** Goes on with an extension of the context before its loss, if it was switched on there. */
  adopt(name: string, from: ContextExtensions): void {
    const object = from.#objects.get(name);
    if (object !== undefined) this.#objects.set(name, object);
  }

  isEnabled(name: string): boolean {
    return this.#objects.has(name);
  }

  /** Switches an extension on; its object, the same each time, or `null` if there is none. */
  get(name: string): object | null {
    const canonical = this.#canonicalName(name);
    const entry = canonical === null ? null : this.#find(canonical);
    if (canonical === null || entry === null) return null;
    const known = this.#objects.get(canonical);
    if (known !== undefined) return known;
    const object = this.#make(canonical, entry);
    this.#objects.set(canonical, object);
    if (entry.shaderName !== undefined) this.#shaderNames.add(entry.shaderName);
    entry.enable?.(this.#core);
    for (const implied of entry.implies ?? []) this.get(implied);
    return object;
  }

  /** Names are compared without regard to case. */
  #canonicalName(name: string): string | null {
    const lower = name.toLowerCase();
    for (const known of EXTENSIONS.keys()) if (known.toLowerCase() === lower) return known;
    return null;
  }

  #find(name: string): ExtensionEntry | null {
    const entry = EXTENSIONS.get(name);
    const version = this.#core.isWebGL2 ? 2 : 1;
    return entry?.versions.includes(version) === true ? entry : null;
  }

  /** An object of a class of its own, named like the extension, with constants and methods on its prototype. */
  #make(name: string, entry: ExtensionEntry): object {
    const { constants, methods } = INTERFACES[name] ?? { constants: {}, methods: {} };
    const prototype: object = {};
    for (const [constant, value] of Object.entries(constants)) {
      Object.defineProperty(prototype, constant, { value, enumerable: true });
    }
    for (const [method, call] of Object.entries(entry.calls ?? {})) {
      const value = checkArguments(method, call, methods[method] ?? 0);
      Object.defineProperty(prototype, method, { value, enumerable: true });
    }
    Object.defineProperty(prototype, Symbol.toStringTag, { value: name });
    const object: ContextObject = Object.create(prototype, {
      [CORE]: { value: this.#core },
    });
    return object;
  }
}
