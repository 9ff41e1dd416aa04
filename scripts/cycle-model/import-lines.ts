/** Import declarations of a generated file, collected while its code is written. */
import { posix } from 'node:path';

/** Names that the file imports, by the file that exports them. */
export class ImportLines {
  readonly #folder: string;
  /** Whether each imported name is a value, by file and name. */
  readonly #isValueByName = new Map<string, Map<string, boolean>>();

  /** @param path Path of the generated file, relative to the sources of the package. */
  constructor(path: string) {
    this.#folder = posix.dirname(path);
  }

  /**
   * Imports a class, function or constant that the code uses at run time.
   *
   * @returns The name.
   */
  value(name: string, file: string): string {
    this.#names(file).set(name, true);
    return name;
  }

  /**
   * Imports a name that only declarations use.
   *
   * @returns The name.
   */
  type(name: string, file: string): string {
    const names = this.#names(file);
    if (!names.has(name)) names.set(name, false);
    return name;
  }

  toString(): string {
    return [...this.#isValueByName]
      .map(([file, names]) => {
        const relative = posix.relative(this.#folder, file);
        const specifier = relative.startsWith('.') ? relative : `./${relative}`;
        const list = [...names].map(([name, isValue]) => (isValue ? name : `type ${name}`));
        return `import { ${list.join(', ')} } from '${specifier}';`;
      })
      .join('\n');
  }

  #names(file: string): Map<string, boolean> {
    const names = this.#isValueByName.get(file) ?? new Map<string, boolean>();
    this.#isValueByName.set(file, names);
    return names;
  }
}
