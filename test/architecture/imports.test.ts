/** Every import is permitted by the import table. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { IMPORT_TABLE, type ImportRule } from './import-table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TEST_PACKAGES = ['vitest', 'fast-check', 'oxc-parser', 'pixelmatch', 'pngjs'];

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

/**
 * Returns the module specifiers of all static and dynamic imports, re-exports and types of imports
 * of a source text, in this order.
 */
function findImports(source: string): string[] {
  const { module, program } = parseSync('source.ts', source);
  const { staticImports, staticExports, dynamicImports } = module;
  const exported = staticExports.flatMap(({ entries }) => entries);
  const found = [...staticImports, ...exported].flatMap(({ moduleRequest }) =>
    moduleRequest === null ? [] : [moduleRequest.value],
  );
  // Addresses that a program computes are not literals.
  const literals = dynamicImports.map(({ moduleRequest: { start, end } }) =>
    /^(['"])(.*)\1$/.exec(source.slice(start, end)),
  );
  found.push(...literals.flatMap((match) => match?.[2] ?? []));
  new Visitor({ TSImportType: (node) => found.push(node.source.value) }).visit(program);
  return found;
}

/** Returns what a file and the files of its workspace that it loads import from packages. */
function reachableFrom(entry: string): string[] {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    // Types are not loaded.
    const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(
      /\b(?:import|export) type\b[^;]*;/g,
      '',
    );
    for (const specifier of findImports(source)) {
      if (specifier.startsWith('.')) visit(relative(ROOT, resolve(ROOT, file, '..', specifier)));
      else packages.add(specifier);
    }
  };
  visit(entry);
  return [...packages];
}

/** Returns why `file` of `workspace` may not import `specifier`, or null if it may. */
function explainViolation(workspace: string, file: string, specifier: string): string | null {
  const rule: ImportRule = IMPORT_TABLE[workspace]!;
  const isTest = /\.test\.ts$|\/src\/testing\//.test(file);
  if (specifier.startsWith('.')) {
    const target = relative(ROOT, resolve(ROOT, file, '..', specifier));
    if (!target.startsWith(`${workspace}/`)) return 'reaches into another workspace by path';
    if (!isTest && target.startsWith(`${workspace}/src/testing/`)) return 'is a test kit';
    return specifier.endsWith('.ts') || specifier.endsWith('.json') ? null : 'lacks its ending';
  }
  if (specifier.startsWith('node:')) {
    if (isTest || rule.node === 'any') return null;
    return rule.node !== 'none' && rule.node.includes(specifier) ? null : 'is a Node module';
  }
  if (specifier.startsWith('@tessera/')) {
    const name = specifier.slice('@tessera/'.length);
    if (rule.tessera.includes(name) || rule.thread?.tessera.includes(name)) return null;
    // Unit tests of gpu compile real shaders, although the product's gpu does not depend on the
    // compiler.
    if (isTest && (name.startsWith('scenes') || name === 'shader')) return null;
    if (isTest && name.endsWith('/testing')) return null;
    return 'is a package the table does not allow';
  }
  if (isTest && TEST_PACKAGES.includes(specifier)) return null;
  return rule.registry.includes(specifier)
    ? null
    : 'is a registry package the table does not allow';
}

describe('the import table', () => {
  const workspaces = ['packages', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  );

  it('has a row for every workspace', () => {
    expect(Object.keys(IMPORT_TABLE).sort()).toEqual(workspaces.sort());
  });

  it.each(workspaces)('is kept by %s', (workspace) => {
    const violations = listSources(workspace).flatMap((file) =>
      findImports(readFileSync(join(ROOT, file), 'utf8'))
        .map((specifier) => [specifier, explainViolation(workspace, file, specifier)] as const)
        .filter(([, reason]) => reason !== null)
        .map(([specifier, reason]) => `${file}: '${specifier}' ${reason}`),
    );
    expect(violations).toEqual([]);
  });

  it.each(workspaces.filter((workspace) => IMPORT_TABLE[workspace]!.thread !== undefined))(
    'has no package of the thread on the event loop of %s',
    (workspace) => {
      const { main, entry, tessera } = IMPORT_TABLE[workspace]!.thread!;
      const isOfThread = (specifier: string) =>
        tessera.some((name) => specifier === `@tessera/${name}`);
      expect(reachableFrom(`${workspace}/${main}`).filter(isOfThread)).toEqual([]);
      expect(reachableFrom(`${workspace}/${entry}`).filter(isOfThread)).not.toEqual([]);
    },
  );

  it('finds forbidden imports of every form', () => {
    const source = `import a from '@tessera/wire';\nimport '@tessera/scenes';\nexport { b } from "ws";\nconst c = await import('node:fs');\ntype D = import('@tessera/gl').D;\nconst text = "import 'e'";`;
    expect(findImports(source)).toEqual([
      ...['@tessera/wire', '@tessera/scenes', 'ws', 'node:fs', '@tessera/gl'],
    ]);
    for (const specifier of findImports(source)) {
      expect(explainViolation('packages/gpu', 'packages/gpu/src/x.ts', specifier)).not.toBeNull();
    }
    expect(
      explainViolation('packages/gpu', 'packages/gpu/src/x.ts', '../../wire/src/codec/codec.ts'),
    ).not.toBeNull();
  });
});
