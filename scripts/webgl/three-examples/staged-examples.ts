/**
 * Folder with the pages of a user and the modules of three's npm package, at the places where they
 * are in three's repository: `build`, `examples/jsm` and the pages in `examples`. Pages and package
 * are links, so the addresses in the pages remain as they are.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const THREE = join(import.meta.dirname, '../../../node_modules/three');

/** Version of three's package. */
export const THREE_VERSION = (
  JSON.parse(readFileSync(join(THREE, 'package.json'), 'utf8')) as { readonly version: string }
).version;

/** Folder of the pages with their modules. */
export interface StagedExamples {
  readonly root: string;
  /** Names of the pages without `.html`, sorted. */
  readonly names: readonly string[];
  /** Returns the path of a page. */
  readonly pathOf: (name: string) => string;
  readonly remove: () => void;
}

/**
 * Creates the folder. @param folder Folder with pages `webgl_*.html` and the files that they load.
 */
export function stageExamples(folder: string): StagedExamples {
  const root = mkdtempSync(join(tmpdir(), 'tessera-three-'));
  const examples = join(root, 'examples');
  mkdirSync(examples);
  symlinkSync(join(THREE, 'build'), join(root, 'build'));
  symlinkSync(join(THREE, 'examples/jsm'), join(examples, 'jsm'));
  const files = readdirSync(folder).filter((file) => file !== 'jsm');
  for (const file of files) symlinkSync(resolve(folder, file), join(examples, file));
  return {
    root,
    names: files
      .filter((file) => /^webgl_.*\.html$/.test(file))
      .map((file) => file.slice(0, -'.html'.length))
      .sort(),
    pathOf: (name) => join(examples, `${name}.html`),
    remove: () => rmSync(root, { recursive: true }),
  };
}
