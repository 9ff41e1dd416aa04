import { expect, it } from 'vitest';
import { ImportMap } from './import-map.ts';

const BASE = new URL('file:///pages/page.html');

function resolverOf(...maps: readonly object[]) {
  const map = new ImportMap();
  for (const each of maps) map.add(JSON.stringify(each), BASE);
  return (specifier: string, parent = BASE.href) => map.resolve(specifier, parent)?.href ?? null;
}

it('resolves names, and names below the longest prefix', () => {
  const resolve = resolverOf({
    imports: { a: '../a.js', 'a/': './a/', 'a/b/': '/b/', './c.js': './d.js' },
  });
  expect(resolve('a')).toBe('file:///a.js');
  expect(resolve('a/x.js')).toBe('file:///pages/a/x.js');
  expect(resolve('a/b/x.js')).toBe('file:///b/x.js');
  expect(resolve('./c.js')).toBe('file:///pages/d.js');
  expect(resolve('../pages/c.js', 'file:///lib/x.js')).toBe('file:///pages/d.js');
});

it('resolves addresses that it does not have from the module that imports them', () => {
  const resolve = resolverOf({ imports: { a: './a.js' } });
  expect(resolve('./x.js', 'file:///lib/y.js')).toBe('file:///lib/x.js');
  expect(resolve('/x.js')).toBe('file:///x.js');
  expect(resolve('https://a.example/x.js')).toBe('https://a.example/x.js');
  expect(resolve('b')).toBeNull();
  expect(resolve('a/x.js')).toBeNull();
});

it('prefers the scope of the module that imports', () => {
  const resolve = resolverOf({
    imports: { a: './a1.js', b: './b1.js' },
    scopes: { './lib/': { a: './a2.js' }, './lib/inner/': { a: './a3.js' } },
  });
  expect(resolve('a')).toBe('file:///pages/a1.js');
  expect(resolve('a', 'file:///pages/lib/x.js')).toBe('file:///pages/a2.js');
  expect(resolve('a', 'file:///pages/lib/inner/x.js')).toBe('file:///pages/a3.js');
  expect(resolve('b', 'file:///pages/lib/inner/x.js')).toBe('file:///pages/b1.js');
});

it('keeps the entries of an earlier map', () => {
  const resolve = resolverOf(
    { imports: { a: './a.js' } },
    { imports: { a: './b.js', c: './c.js' } },
  );
  expect(resolve('a')).toBe('file:///pages/a.js');
  expect(resolve('c')).toBe('file:///pages/c.js');
});

it.each([
  ['[]', 'the import map must be an object'],
  ['{"imports": {"a": "b.js"}}', 'imports["a"]: "b.js" is no address'],
  ['{"imports": {"a": 1}}', 'imports["a"]: 1 is no address'],
  ['{"imports": {"a/": "./b"}}', 'imports["a/"]: the address must end with a slash'],
  ['{"scopes": {"/b/": 1}}', 'scopes["/b/"] must be an object'],
])('refuses %s', (text, message) => {
  expect(() => new ImportMap().add(text, BASE)).toThrow(message);
});
