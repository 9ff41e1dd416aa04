/** Extensions that a program has enabled with `getExtension`, with the objects it received. */

/** Objects of the enabled extensions of one context, by canonical extension name. */
export class EnabledExtensions {
  readonly #objectByName = new Map<string, object>();
  readonly #shaderNames: Set<string>;

  /**
   * @param shaderNames Receives the names that GLSL's `#extension` accepts for enabled extensions.
   */
  constructor(shaderNames: Set<string>) {
    this.#shaderNames = shaderNames;
  }

  /** Whether the program has enabled the extension. */
  isEnabled(name: string): boolean {
    return this.#objectByName.has(name);
  }

  /** Returns the object of an enabled extension, or `undefined`. */
  find(name: string): object | undefined {
    return this.#objectByName.get(name);
  }

  /** Enables an extension. `shaderName` is its name in GLSL, if shaders can use it. */
  add(name: string, object: object, shaderName?: string): void {
    this.#objectByName.set(name, object);
    if (shaderName !== undefined) this.#shaderNames.add(shaderName);
  }

  /** Returns the objects of all enabled extensions except `excludedName`. */
  listObjects(excludedName: string): object[] {
    return [...this.#objectByName].flatMap(([name, object]) =>
      name === excludedName ? [] : [object],
    );
  }
}
