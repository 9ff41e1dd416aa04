/**
 * Declarations of a published package: those of the sources that its exports reach, with relative
 * imports. The compiler emits them for all workspaces at once.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileNameOf } from './build-bundles.ts';
import { type PublishedPackage, SCOPE } from './published-packages.ts';

const IMPORT = /(\bfrom\s+|\bimport\(\s*|\bimport\s+)(['"])([^'"]+)\2/g;

/**
 * Emits the declarations of all sources.
 *
 * @param root Root of the repository.
 * @param folder Folder for the declarations, in the layout of the repository.
 */
export function emitDeclarations(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: root, outDir: folder, typeRoots: [resolve(root, 'node_modules/@types')] },
  };
  writeFileSync(
    config,
    JSON.stringify({
      extends: resolve(root, 'tsconfig.json'),
      compilerOptions,
      include: [resolve(root, 'packages/*/src')],
      exclude: ['**/*.test.ts', resolve(root, 'packages/dashboard')],
    }),
  );
  execFileSync(resolve(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
}

/**
 * Copies the declarations that a package reaches.
 *
 * @param declarations Folder of {@link emitDeclarations}.
 */
export function buildTypes(
  root: string,
  declarations: string,
  published: PublishedPackage,
  folder: string,
): void {
  const { entries, externalWorkspaces } = published;
  const types = join(folder, 'dist', 'types');
  const seen = new Set<string>();
  const pending = Object.values(entries);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    if (seen.has(source)) continue;
    seen.add(source);
    const from = source;
    const text = readFileSync(join(declarations, declarationOf(source)), 'utf8');
    const rewritten = text.replace(IMPORT, (whole, before: string, quote: string, id: string) => {
      const other = externalWorkspaces[id];
      if (other !== undefined) return `${before}${quote}${SCOPE}/${other}${quote}`;
      const target = sourceOf(root, from, id);
      if (target === null) return whole;
      pending.push(target);
      return `${before}${quote}${relativeImport(dirname(from), target)}${quote}`;
    });
    const to = join(types, declarationOf(source));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, rewritten);
  }
  for (const [entry, source] of Object.entries(entries)) {
    const text = `export * from '${relativeImport('', source)}';\n`;
    writeFileSync(join(types, `${fileNameOf(entry)}.d.ts`), text);
  }
}

function relativeImport(folder: string, source: string): string {
  const path = relative(folder, source).replace(/\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, '.d.ts');
}

/** Returns the source that an import names, relative to the repository; null for the registry. */
function sourceOf(root: string, from: string, id: string): string | null {
  if (id.startsWith('.')) return join(dirname(from), id);
  const [scope, name, ...rest] = id.split('/');
  if (scope !== '@tessera') return null;
  const workspace = join('packages', name!);
  const manifest = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
  const path = manifest.exports[['.', ...rest].join('/')] as string;
  return join(workspace, path);
}
