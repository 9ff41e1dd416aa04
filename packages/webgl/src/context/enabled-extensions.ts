/** Extensions that a program has enabled with `getExtension`, with the objects it received. */

/** Names that an extension adds. */
interface AddedNames {
  /** Name in GLSL, if shaders can use the extension. */
  readonly shaderName?: string;
  /** Capabilities of `enable` and `disable`. */
  readonly capabilities?: readonly number[];
}

/** Objects of the enabled extensions of one context, by canonical extension name. */
export class EnabledExtensions {
  readonly #objectByName = new Map<string, object>();
  readonly #shaderNames: Set<string>;
  readonly #capabilities = new Set<number>();

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

  /** Whether an enabled extension adds the capability. */
  hasCapability(capability: number): boolean {
    return this.#capabilities.has(capability);
  }

  /** Enables an extension. */
  add(name: string, object: object, { shaderName, capabilities = [] }: AddedNames): void {
    this.#objectByName.set(name, object);
    if (shaderName !== undefined) this.#shaderNames.add(shaderName);
    for (const capability of capabilities) this.#capabilities.add(capability);
  }

  /** Returns the objects of all enabled extensions except `excludedName`. */
  listObjects(excludedName: string): object[] {
    return [...this.#objectByName].flatMap(([name, object]) =>
      name === excludedName ? [] : [object],
    );
  }
}
