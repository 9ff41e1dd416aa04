/**
 * JavaScript of a published package: modules, which `require` loads too (Node 20.19 and later).
 * They are not minified, so errors have readable places.
 */
import { basename, dirname, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { type PublishedPackage, SCOPE } from './published-packages.ts';

const POLYFILLS = resolve(import.meta.dirname, 'polyfills.ts');
const COMMAND = 'cli';
/** Address of a module beside its importer, which a thread runs or a worker loads. */
const MODULE_ADDRESS = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;

/** Returns the name of the files of an export. */
export function fileNameOf(entry: string): string {
  return entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-');
}

/**
 * Writes the bundles of a package.
 *
 * @param root Root of the repository.
 * @param folder Folder of the package.
 */
export async function buildBundles(
  root: string,
  published: PublishedPackage,
  folder: string,
): Promise<void> {
  const { entries, command, dependencies, optionalPackages = {}, externalWorkspaces } = published;
  const sources = Object.entries(entries).map(([entry, source]) => [fileNameOf(entry), source]);
  if (command !== undefined) sources.push([COMMAND, command.source]);
  const virtual = new Map(
    sources.map(([name, source]) => [`virtual:${name}`, resolve(root, source!)]),
  );
  const bundle = await rolldown({
    input: Object.fromEntries([...virtual.keys()].map((id) => [id.slice('virtual:'.length), id])),
    cwd: root,
    platform: 'node',
    external: [
      // With the modules inside of the packages.
      ...Object.keys({ ...dependencies, ...optionalPackages }).map(
        (id) => new RegExp(`^${id}(/|$)`),
      ),
      /^node:/,
    ],
    plugins: [
      {
        name: 'published-package',
        resolveId(id) {
          if (virtual.has(id)) return id;
          const other = externalWorkspaces[id];
          return other === undefined ? null : { id: `${SCOPE}/${other}`, external: true };
        },
        load(id) {
          const source = virtual.get(id);
          if (source === undefined) return null;
          const [polyfills, main] = [POLYFILLS, source].map((path) => JSON.stringify(path));
          return `import ${polyfills};\nexport * from ${main};\n`;
        },
        transform(code, id) {
          // Such a module is a file of its own in the package, like those of the exports.
          const rewritten = code.replaceAll(MODULE_ADDRESS, (_whole, relative: string) => {
            const source = resolve(dirname(id), relative);
            virtual.set(`virtual:${source}`, source);
            const name = basename(source, '.ts');
            const file = this.emitFile({ type: 'chunk', id: `virtual:${source}`, name });
            return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
          });
          return rewritten === code ? null : { code: rewritten };
        },
      },
    ],
    onLog(level, log) {
      if (level === 'warn') throw new Error(`${published.name}: ${log.message}`);
    },
  });
  await bundle.write({
    dir: resolve(folder, 'dist'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: ({ name }) => (name === COMMAND ? '#!/usr/bin/env node' : ''),
    comments: false,
  });
  await bundle.close();
}
