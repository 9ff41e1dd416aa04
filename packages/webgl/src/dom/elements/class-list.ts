/** `element.classList`: the class names of an element, each once. */

/** Owner of the class attribute, which programs also change directly. */
interface HasClassName {
  className: string;
}

/** Class names of one element. */
export class ClassList {
  readonly #element: HasClassName;

  constructor(element: HasClassName) {
    this.#element = element;
  }

  get length(): number {
    return this.#list().size;
  }

  get value(): string {
    return this.#element.className;
  }

  contains(name: string): boolean {
    return this.#list().has(name);
  }

  add(...names: readonly string[]): void {
    this.#write(new Set([...this.#list(), ...names]));
  }

  remove(...names: readonly string[]): void {
    const left = this.#list();
    for (const name of names) left.delete(name);
    this.#write(left);
  }

  /**
   * Adds or removes a name depending on `force`, or toggles it if `force` is omitted. Returns
   * whether the name is present afterwards.
   */
  toggle(name: string, force = !this.contains(name)): boolean {
    if (force) this.add(name);
    else this.remove(name);
    return force;
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#list().values();
  }

  #list(): Set<string> {
    return new Set(this.#element.className.split(/\s+/).filter((name) => name !== ''));
  }

  #write(names: Set<string>): void {
    this.#element.className = [...names].join(' ');
  }
}
