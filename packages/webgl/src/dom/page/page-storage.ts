/** `localStorage` and `sessionStorage` of a page (HTML, section 12.2), empty for each page. */

/** Texts by name, which are also properties of the object. */
export class PageStorage {
  readonly #texts = new Map<string, string>();

  constructor() {
    const texts = this.#texts;
    // biome-ignore lint/correctness/noConstructorReturn: the names are properties of the object.
    return new Proxy(this, {
      get(storage, name) {
        if (typeof name === 'string' && texts.has(name)) return texts.get(name);
        const value: unknown = Reflect.get(storage, name, storage);
        return typeof value === 'function' ? value.bind(storage) : value;
      },
      set(_storage, name, value) {
        texts.set(String(name), String(value));
        return true;
      },
      deleteProperty: (_storage, name) => texts.delete(String(name)) || true,
      has: (storage, name) => texts.has(String(name)) || name in storage,
      ownKeys: () => [...texts.keys()],
      getOwnPropertyDescriptor: (_storage, name) =>
        texts.has(String(name))
          ? { value: texts.get(String(name)), enumerable: true, configurable: true, writable: true }
          : undefined,
    });
  }

  get length(): number {
    return this.#texts.size;
  }

  key(index: number): string | null {
    return [...this.#texts.keys()][index] ?? null;
  }

  getItem(name: string): string | null {
    return this.#texts.get(String(name)) ?? null;
  }

  setItem(name: string, text: string): void {
    this.#texts.set(String(name), String(text));
  }

  removeItem(name: string): void {
    this.#texts.delete(String(name));
  }

  clear(): void {
    this.#texts.clear();
  }
}
