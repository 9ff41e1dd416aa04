/** What TypeScript's library of the DOM says of WebGL: constants, methods and how many arguments they need. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface InterfaceText {
  readonly constants: ReadonlyMap<string, string>;
  /** Name to the least number of arguments of its forms. */
  readonly methods: ReadonlyMap<string, number>;
}

const EXTENSION = /^(?:ANGLE|EXT|KHR|OES|OVR|WEBGL)_\w+$/;

/** The text of `lib.dom.d.ts`, which comes with the compiler for this machine. */
export function readDomLibrary(root: string): string {
  const scope = join(root, 'node_modules/@typescript');
  for (const name of readdirSync(scope)) {
    try {
      return readFileSync(join(scope, name, 'lib/lib.dom.d.ts'), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${scope}: no compiler with a library of the DOM`);
}

/** The module that holds what `library` says. */
export function printWebGlInterface(library: string): string {
  const interfaces = readInterfaces(library);
  const merge = (...names: string[]): InterfaceText => {
    const found = names.map((name) => interfaces.get(name) ?? []);
    if (found.some((texts) => texts.length === 0)) throw new Error(`no interface of ${names}`);
    return mergeTexts(found.flat());
  };
  const base = merge('WebGLRenderingContextBase', 'WebGLRenderingContextOverloads');
  const webgl2 = merge('WebGL2RenderingContextBase', 'WebGL2RenderingContextOverloads');
  const webgl2Methods = new Map([...webgl2.methods].filter(([name]) => !base.methods.has(name)));
  const extensions = [...interfaces.keys()]
    .filter((name) => EXTENSION.test(name))
    .map((name) => [name, merge(name)] as const);
  return [
    '/**',
    " * WebGL's constants and methods as TypeScript's library of the DOM lists them.",
    ' * Made by scripts/generate-webgl-interface.ts; do not edit. Long because the API is: it is one table.',
    ' */',
    '',
    '/** Constants of both versions. */',
    `export const WEBGL_CONSTANTS = ${printTable(base.constants)} as const;`,
    '',
    '/** Constants that WebGL 2 adds. */',
    `export const WEBGL2_CONSTANTS = ${printTable(webgl2.constants)} as const;`,
    '',
    '/** Methods of both versions, with the least number of arguments they take. */',
    `export const WEBGL_METHODS = ${printTable(base.methods)} as const;`,
    '',
    '/** Methods that WebGL 2 adds. */',
    `export const WEBGL2_METHODS = ${printTable(webgl2Methods)} as const;`,
    '',
    '/** Constants and methods of extension objects. */',
    'export const WEBGL_EXTENSIONS = {',
    ...extensions.map(
      ([name, { constants, methods }]) =>
        `${name}: { constants: ${printTable(constants)}, methods: ${printTable(methods)} },`,
    ),
    '} as const;',
    '',
  ].join('\n');
}

function printTable(table: ReadonlyMap<string, string | number>): string {
  return `{${[...table].map(([name, value]) => `${name}: ${value}`).join(', ')}}`;
}

/** Interfaces of contexts and extensions by name; one can be declared in several places. */
function readInterfaces(library: string): Map<string, InterfaceText[]> {
  const interfaces = new Map<string, InterfaceText[]>();
  for (const [, name = '', body = ''] of library.matchAll(
    /^interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm,
  )) {
    if (!/^WebGL2?RenderingContext(?:Base|Overloads)$/.test(name) && !EXTENSION.test(name))
      continue;
    const constants = [...body.matchAll(/^ {4}readonly (\w+): (0x[0-9A-Fa-f]+|-?\d+);$/gm)].map(
      ([, constant = '', value = '']): [string, string] => [constant, value.toLowerCase()],
    );
    const methods = new Map<string, number>();
    for (const [, method = '', parameters = ''] of body.matchAll(
      /^ {4}(\w+)(?:<[^>]*>)?\((.*?)\): .*;$/gm,
    )) {
      const count = countRequired(parameters);
      methods.set(method, Math.min(count, methods.get(method) ?? count));
    }
    const text = { constants: new Map(constants), methods };
    interfaces.set(name, [...(interfaces.get(name) ?? []), text]);
  }
  return interfaces;
}

/** Parameters of a signature that have no question mark; commas inside brackets do not separate. */
function countRequired(parameters: string): number {
  let depth = 0;
  let count = 0;
  let start = 0;
  for (let at = 0; at <= parameters.length; at++) {
    const character = parameters[at];
    if (character !== undefined && '([{<'.includes(character)) depth++;
    if (character !== undefined && ')]}>'.includes(character)) depth--;
    if (at < parameters.length && (character !== ',' || depth > 0)) continue;
    const parameter = parameters.slice(start, at).trim();
    if (parameter !== '' && !/^(?:\.\.\.)?\w+\?/.test(parameter)) count++;
    start = at + 1;
  }
  return count;
}

function mergeTexts(texts: readonly InterfaceText[]): InterfaceText {
  const methods = new Map<string, number>();
  for (const text of texts) {
    for (const [name, count] of text.methods) {
      methods.set(name, Math.min(count, methods.get(name) ?? count));
    }
  }
  return { constants: new Map(texts.flatMap(({ constants }) => [...constants])), methods };
}
