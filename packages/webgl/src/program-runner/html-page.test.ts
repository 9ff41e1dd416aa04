import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageResult } from '../testing/run-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RUN_PAGES = join(import.meta.dirname, '../testing/run-pages.ts');

/** Module that fills the canvas of its page. */
const FILL = `export function fill(red, green = 0) {
  const gl = document.querySelector('canvas').getContext('webgl2');
  gl.clearColor(red / 255, green / 255, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
}`;
const CANVAS = '<canvas id="view" width="1" height="1"></canvas>';
const MAP = '<script type="importmap">{ "imports": { "lib/": "./lib/" } }</script>';

/** Page with the other files that it needs. */
interface Page {
  readonly html: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Pages by what they test, with the red and green values that they draw in each frame. */
const DRAWN: Readonly<Record<string, Page & { readonly frames: number[][] }>> = {
  'imports modules by its import map': {
    html: `<!DOCTYPE html>
      <html><head><title>A &amp; B</title></head><body>${CANVAS}${MAP}
      <script type="module">
        import { fill } from 'lib/fill.js';
        import { red } from './red.js';
        import green from './green.json' with { type: 'json' };
        const { title } = document;
        if (title !== 'A & B') throw new Error(title);
        let frame = 0;
        requestAnimationFrame(function draw() {
          fill(red + frame++, green.value);
          requestAnimationFrame(draw);
        });
      </script></body></html>`,
    files: {
      'red.js': `export * from 'lib/two.js';`,
      'lib/two.js': 'export const red = 50;',
      'green.json': '{ "value": 7 }',
    },
    frames: [
      [50, 7],
      [51, 7],
    ],
  },
  'runs its scripts in the order of a browser': {
    html: `
      <script>var steps = [document.getElementById('view') === null ? 'early' : 'late'];</script>
      <script defer src="deferred.js"></script>
      <script type="module">
        steps.push('module', document.querySelector('#box > i').textContent, document.readyState);
      </script>
      <div id="box"><i>nested</i></div>${CANVAS}${MAP}
      <script src="classic.js"></script>
      <script nomodule>steps.push('old');</script>
      <script type="x-shader/x-vertex" id="shader">void main() {}</script>
      <script type="module" src="lib/last.js"></script>
      <script>
        document.addEventListener('DOMContentLoaded', () => steps.push('content'));
        addEventListener('load', () => import('lib/fill.js').then(({ fill }) => {
          const wanted = 'early,classic,deferred,module,nested,interactive,void main() {},content';
          fill(steps.join() === wanted ? 200 : 1);
        }));
      </script>`,
    files: {
      'classic.js': `steps.push('classic');`,
      'deferred.js': `steps.push('deferred');`,
      'lib/last.js': `steps.push(document.getElementById('shader').text);`,
    },
    frames: [[200, 0]],
  },
  'loads files by addresses relative to the page': {
    html: `<body onload="isLoaded = true">${CANVAS}${MAP}
      <script type="module">
        import { fill } from 'lib/fill.js';
        const red = Number(await (await fetch('./files/red.txt')).text());
        requestAnimationFrame(() => fill(red, globalThis.isLoaded ? 3 : 0));
      </script></body>`,
    files: { 'files/red.txt': '90' },
    frames: [[90, 3]],
  },
  'adds scripts that fire load or error': {
    html: `${CANVAS}${MAP}<script type="module">
        import { fill } from 'lib/fill.js';
        const add = (src) => new Promise((resolve) => {
          const script = document.createElement('script');
          script.src = src;
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('failed');
          document.body.appendChild(script);
        });
        const ends = [await add('added.js'), await add('absent.js')].join();
        fill(ends === 'loaded,failed' ? globalThis.added : 1);
      </script>`,
    files: { 'added.js': 'var added = 77;' },
    frames: [[77, 0]],
  },
};

/** Pages by their name, with their errors. */
const REFUSED: Readonly<Record<string, Page & { readonly error: RegExp }>> = {
  classic: {
    html: `<p>\n<script src="gone.js"></script>`,
    error: /classic\.html:2: script gone\.js: there is no file .*gone\.js$/,
  },
  module: {
    html: `\n\n<script type="module" src="gone.js"></script>`,
    error: /module\.html:3: script gone\.js: there is no file .*gone\.js$/,
  },
  network: {
    html: `\n<script src="https://a.example/x.js"></script>`,
    error: /network\.html:2: script https:\/\/a\.example\/x\.js: pages run only files$/,
  },
  import: {
    html: `<script type="module">\nimport './gone.js';</script>`,
    error: /import\.html:2: module '\.\/gone\.js': there is no file .*gone\.js$/,
  },
  outer: {
    html: `<script type="module" src="lib/outer.js"></script>`,
    files: { 'lib/outer.js': `\n\nimport { a } from "./absent.js";` },
    error: /outer\.js:3: module '\.\/absent\.js': there is no file .*absent\.js$/,
  },
  bare: {
    html: `<script type="module">\n\nimport 'three';</script>`,
    error: /bare\.html:3: module 'three': the import map of the page does not have it$/,
  },
  far: {
    html: `<script type="module">import "https://a.example/x.js";</script>`,
    error: /far\.html:1: module 'https:\/\/a\.example\/x\.js': pages import only files$/,
  },
  'bad-map': {
    html: `\n<script type="importmap">{</script>`,
    error: /bad-map\.html:2: import map: /,
  },
  throws: {
    html: '<script>\n\n  missing();</script>',
    error: /throws\.html:3: ReferenceError: missing is not defined/,
  },
  'module-throws': {
    html: '<p>\n<script type="module">missing();</script>',
    error: /module-throws\.html:2:23: ReferenceError: missing is not defined$/,
  },
  syntax: {
    html: '<p>\n<script>\nlet = ;</script>',
    error: /syntax\.html:3: SyntaxError: /,
  },
  nothing: { html: '<p>', error: /nothing\.html: the page never creates a WebGL context$/ },
};

let resultByName: Map<string, PageResult>;

beforeAll(() => {
  const pages = new Map<string, Page>([...Object.entries(DRAWN), ...Object.entries(REFUSED)]);
  writeFiles({ 'lib/fill.js': FILL });
  const given = [...pages].flatMap(([name, { html, files = {} }]) => {
    const file = `${name.replaceAll(' ', '-')}.html`;
    writeFiles({ ...files, [file]: html });
    const frames = name in DRAWN ? DRAWN[name]!.frames.length : 1;
    return [join(folder, file), String(frames)];
  });
  const output = execFileSync(process.execPath, [RUN_PAGES, ...given], { encoding: 'utf8' });
  const results = JSON.parse(output.trimEnd().split('\n').at(-1)!) as PageResult[];
  resultByName = new Map([...pages.keys()].map((name, index) => [name, results[index]!]));
});

function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

it.each(Object.entries(DRAWN))('%s', (name, { frames }) => {
  expect(resultByName.get(name)).toEqual({ frames });
});

it.each(Object.entries(REFUSED))(
  'refuses a page with the place of the error: %s',
  (name, { error }) => {
    expect(resultByName.get(name)).toEqual({ error: expect.stringMatching(error) });
  },
);
