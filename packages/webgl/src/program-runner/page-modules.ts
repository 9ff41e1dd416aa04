/**
 * Modules of an HTML page. The platform loads them, from the addresses that the import map of the
 * page gives, and as modules whatever their file names end with.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ImportMap } from './import-map.ts';
import { lineAt, showLine } from './page-lines.ts';
import { nextProgramAddress } from './program-address.ts';
import { ProgramError } from './program-error.ts';

/** Modules of a page, until it is closed. */
export class PageModules {
  readonly #path: string;
  readonly #map: ImportMap;
  /** Addresses of all modules of the page. */
  readonly #addresses = new Set<string>();
  /** Texts of inline modules by address. */
  readonly #texts = new Map<string, string>();
  readonly #hooks: nodeModule.ModuleHooks;

  /**
   * @param path Path of the page.
   * @param address Address of the page, from which its classic scripts import.
   * @throws {ProgramError} If Node is older than 22.15, which has no hooks for modules.
   */
  constructor(path: string, address: URL, map: ImportMap) {
    this.#path = path;
    this.#map = map;
    this.#addresses.add(address.href);
    // A named import would end every program on Node 20.
    const { registerHooks } = nodeModule;
    if (registerHooks === undefined) {
      throw new ProgramError(`${path}: HTML pages need Node 22.15 or later`);
    }
    this.#hooks = registerHooks({
      resolve: (specifier, context, next) => {
        const { parentURL = '', importAttributes } = context;
        if (!this.#addresses.has(specifier)) {
          if (!this.#addresses.has(parentURL)) return next(specifier, context);
          const resolved = this.#resolve(specifier, parentURL);
          if (resolved.protocol !== 'file:') return next(resolved.href, context);
          this.#addresses.add(resolved.href);
          specifier = resolved.href;
        }
        const format = importAttributes.type === 'json' ? 'json' : 'module';
        return { url: specifier, format, shortCircuit: true };
      },
      load: (url, context, next) => {
        const source = this.#texts.get(url);
        if (source === undefined) return next(url, context);
        return { format: 'module', source, shortCircuit: true };
      },
    });
  }

  /**
   * Runs an inline module, and returns when it is evaluated.
   *
   * @param text Text of the page up to the end of the module, without what precedes the module but
   *   line breaks, so that errors have the lines of the page.
   */
  async runText(text: string): Promise<void> {
    const address = nextProgramAddress(this.#path);
    this.#texts.set(address, text);
    this.#addresses.add(address);
    await import(address);
  }

  /** Runs the module of a file, and returns when it is evaluated. */
  async runFile(path: string): Promise<void> {
    const address = nextProgramAddress(path);
    this.#addresses.add(address);
    await import(address);
  }

  /** Leaves later imports to the platform alone. */
  close(): void {
    this.#hooks.deregister();
  }

  /** @throws {ProgramError} If there is no such module, with the place of the import. */
  #resolve(specifier: string, parent: string): URL {
    const address = this.#map.resolve(specifier, parent);
    if (address === null) {
      throw this.#error(specifier, parent, 'the import map of the page does not have it');
    }
    if (address.protocol === 'data:') return address;
    if (address.protocol !== 'file:') {
      throw this.#error(specifier, parent, 'pages import only files');
    }
    const path = fileURLToPath(address);
    if (!existsSync(path)) throw this.#error(specifier, parent, `there is no file ${path}`);
    return address;
  }

  #error(specifier: string, parent: string, reason: string): ProgramError {
    const path = fileURLToPath(parent);
    const text = this.#texts.get(parent) ?? readFileSync(path, 'utf8');
    const at = Math.max(text.indexOf(`'${specifier}'`), text.indexOf(`"${specifier}"`));
    const place = at < 0 ? path : showLine(path, lineAt(text, at));
    return new ProgramError(`${place}: module '${specifier}': ${reason}`);
  }
}
