import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { DASHBOARD_FOLDER } from './dashboard-routes.ts';
import { listPageModules, PAGE_PREFIX } from './page-modules.ts';

/** Bound on all scripts of the page, each compressed by itself as the service sends them. */
const MAX_SCRIPT_BYTES = 120_000;
/** Script of the page at /docs, which the dashboard does not load. */
const API_SCRIPT = 'api-page.ts';
const SOURCES = join(DASHBOARD_FOLDER, 'src');

const modules = listPageModules(SOURCES);

/** Returns a syntax tree without positions and without the addresses of modules. */
function treeOf(name: string, code: string): string {
  const { program, errors } = parseSync(`${name}.mjs`, code);
  expect(errors, name).toEqual([]);
  const ignored = ['start', 'end', 'range', 'loc', 'raw'];
  return JSON.stringify(program, (key, value: unknown) => {
    if (ignored.includes(key)) return undefined;
    const isAddress = typeof value === 'string' && /^(?:@tessera|\/dashboard)\//.test(value);
    return isAddress ? 'address' : value;
  });
}

function fileOf(name: string): string {
  return name.startsWith('packages/') ? join(DASHBOARD_FOLDER, '../..', name) : join(SOURCES, name);
}

describe('the modules of the page', () => {
  it('have the syntax tree of their sources', () => {
    for (const { name, readCode } of modules) {
      const source = stripTypeScriptTypes(readFileSync(fileOf(name), 'utf8'), { mode: 'strip' });
      expect(treeOf(name, readCode()), name).toBe(treeOf(name, source));
    }
  });

  it('keep the numbers of their lines', () => {
    for (const { name, readCode } of modules) {
      const lines = readFileSync(fileOf(name), 'utf8').split('\n').length;
      expect(readCode().split('\n').length, name).toBe(lines);
    }
  });

  it('import only each other', () => {
    const names = new Set(modules.map(({ name }) => name));
    for (const { name, readCode } of modules) {
      const { module } = parseSync(`${name}.mjs`, readCode());
      const specifiers = [
        ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...module.staticExports.flatMap(({ entries }) =>
          entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
        ),
      ];
      for (const specifier of specifiers) {
        const path = posix.resolve(PAGE_PREFIX, name, '..', specifier);
        expect(names, `${name} imports ${specifier}`).toContain(path.slice(PAGE_PREFIX.length));
      }
    }
  });

  it('are small', () => {
    const bytes = modules
      .filter(({ name }) => name !== API_SCRIPT)
      .reduce((sum, { readCode }) => sum + gzipSync(readCode()).length, 0);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    process.stdout.write(`scripts of the page: ${bytes} bytes, gzipped\n`);
  });
});
