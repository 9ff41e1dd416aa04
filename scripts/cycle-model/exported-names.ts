/** Finds where the cycle model exports a name, and the parameters of its constructors. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CHIP_PACKAGE, listModelFiles } from './model-files.ts';

/** Folder of the package's sources, relative to the repository. */
export const CHIP_SOURCES = `${CHIP_PACKAGE}/src`;

/** One exported name. */
interface ExportedName {
  /** Path relative to the sources of the package. */
  readonly file: string;
  /** Text of the file. */
  readonly source: string;
}

/** Exports of the model's hand-written files, by name. */
export class ExportedNames {
  readonly #byName = new Map<string, ExportedName>();

  /** @param root Root of the repository. */
  constructor(root: string) {
    for (const path of listModelFiles(root)) {
      if (path.endsWith('.generated.ts')) continue;
      const source = readFileSync(resolve(root, path), 'utf8');
      const file = path.slice(CHIP_SOURCES.length + 1);
      const pattern = /^export (?:abstract )?(?:class|const|function|interface|type) (\w+)/gm;
      for (const [, name] of source.matchAll(pattern)) this.#byName.set(name!, { file, source });
    }
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /**
   * Returns the file that exports a name, relative to the sources of the package.
   *
   * @throws {Error} If no file does.
   */
  fileOf(name: string): string {
    return this.#find(name).file;
  }

  /**
   * Returns the names of the parameters of a class's constructor, in order; none if it has no
   * constructor.
   *
   * @throws {Error} If no file exports the class.
   */
  parametersOf(type: string): string[] {
    const { source } = this.#find(type);
    const body = source.slice(
      source.search(new RegExp(`^export (?:abstract )?class ${type}\\b`, 'm')),
    );
    const list = /\bconstructor\(([^)]*)\)/.exec(body)?.[1];
    if (list === undefined) return [];
    return [...list.matchAll(/(\w+)\s*:/g)].map(([, name]) => name!);
  }

  /**
   * Returns the names of the options of a class's constructor; null if it has no options.
   *
   * @throws {Error} If no file exports the class.
   */
  optionsOf(type: string): string[] | null {
    const { source } = this.#find(type);
    const fields = new RegExp(`^export interface ${type}Options \\{([^}]*)\\}`, 'm').exec(
      source,
    )?.[1];
    if (fields === undefined) return null;
    return [...fields.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name!);
  }

  #find(name: string): ExportedName {
    const found = this.#byName.get(name);
    if (found === undefined) throw new Error(`no file of the cycle model exports ${name}`);
    return found;
  }
}
