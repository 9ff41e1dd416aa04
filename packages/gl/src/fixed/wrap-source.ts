/**
 * Wraps a program's shaders in the fixed functions that still apply: clip planes, point size,
 * two-sided and flat colors, the alpha test. The program's `main` becomes a function that the new
 * `main` calls.
 */

import { NEXT_SHADER } from '../objects/programs/join-shaders.ts';
import { FIXED_UNIT_COUNT } from '../state/fixed/texture-environment.ts';
import { declareCoverage, discardBetweenDashes, weighAlpha } from './coverage-source.ts';
import { SHADE_MODEL_COLORS, splitRedeclarations } from './declared-interpolation.ts';
import { colorNames, pointCoordinate } from './fragment-source.ts';
import type { FragmentKey, InterfaceKey, PointCoordinatesKey } from './program-key.ts';
import {
  copyClipDistances,
  declareAlphaTest,
  declareInterface,
  discardClipped,
  discardStippled,
  enableExtensions,
  STIPPLE_SAMPLER,
  testAlpha,
  writeClipDistances,
  writePointSize,
} from './stage-interface.ts';

/** Returns a vertex shader source wrapped in the fixed functions of `key`. */
export function wrapVertexSource(given: string, key: InterfaceKey): string {
  const { isFlat, isTwoSided, clipPlanes, pointSize, colors = SHADE_MODEL_COLORS } = key;
  const { source, redeclarations } = splitRedeclarations(given);
  // The color of back faces is declared with the interface.
  const kept = redeclarations.filter((statement) => !isTwoSided || !statement.includes('Back'));
  const macros: string[] = [...kept, '#define main tessera_main'];
  const declarations = [declareInterface(key)];
  const after: string[] = [];
  if (isFlat && colors.primary === null) {
    macros.push('#define gl_FrontColor tessera_FlatColor');
  }
  if (isFlat && colors.secondary === null) {
    macros.push('#define gl_FrontSecondaryColor tessera_FlatSecondaryColor');
  }
  if (isTwoSided) {
    macros.push('#define gl_BackColor tessera_BackColor');
    macros.push('#define gl_BackSecondaryColor tessera_BackSecondaryColor');
  }
  if (clipPlanes.length > 0 && /\bgl_ClipDistance\b/.test(source)) {
    after.push(copyClipDistances(key));
  } else if (clipPlanes.length > 0) {
    // Mesa takes the position for the clip vertex of a shader that writes none.
    let eye = 'gl_Position';
    if (/\bgl_ClipVertex\b/.test(source)) {
      macros.push('#define gl_ClipVertex tessera_ClipVertex');
      declarations.push('vec4 tessera_ClipVertex;');
      eye = 'tessera_ClipVertex';
    }
    after.push(`vec4 tessera_eye = ${eye};`, writeClipDistances(key, 'tessera_eye'));
  }
  if (pointSize !== null) after.push(writePointSize(key, null));
  return wrap(source, key, macros, declarations, [], after);
}

/** Returns a fragment shader source wrapped in the fixed functions of `key`. */
export function wrapFragmentSource(
  given: string,
  key: Pick<FragmentKey, 'interface' | 'alphaTest' | 'isStippled'> & {
    readonly pointCoordinates: PointCoordinatesKey | null;
  },
): string {
  const { interface: shared, alphaTest, isStippled, pointCoordinates } = key;
  const { source: split, redeclarations } = splitRedeclarations(given);
  // The coordinate of points needs GLSL 1.20.
  const source =
    pointCoordinates === null
      ? split
      : split.replace(COORDINATES_DECLARATION, '').replace(/^(\s*#\s*version\s+)110\b/m, '$1120');
  const macros = [...redeclarations, '#define main tessera_main'];
  if (shared.isFlat || shared.isTwoSided) {
    const [primary, secondary] = colorNames(key);
    macros.push(`#define gl_Color ${primary}`, `#define gl_SecondaryColor ${secondary}`);
  }
  const output = findOutput(source);
  const declarations = [
    declareInterface(shared),
    declareCoverage(shared),
    declareAlphaTest(alphaTest),
  ];
  if (isStippled) declarations.push(`uniform sampler2D ${STIPPLE_SAMPLER};`);
  const before = [
    discardClipped(shared),
    discardStippled(isStippled),
    discardBetweenDashes(shared),
  ];
  if (pointCoordinates !== null) {
    macros.push('#define gl_TexCoord tessera_TexCoord');
    declarations.push(`vec4 tessera_TexCoord[${FIXED_UNIT_COUNT}];`);
    before.push('#undef gl_TexCoord', replaceCoordinates(pointCoordinates));
  }
  const alpha = `${output}.a`;
  const after = [weighAlpha(shared, alpha), testAlpha(alphaTest, alpha)];
  return wrap(source, shared, macros, declarations, before, after);
}

const COORDINATES_DECLARATION = /\b(?:varying|in)\s+vec4\s+gl_TexCoord\s*\[[^\]]*\]\s*;/g;

/** Returns statements that set the coordinates that the program reads, some to the point's. */
function replaceCoordinates({ units, isOriginLowerLeft }: PointCoordinatesKey): string {
  const point = pointCoordinate(isOriginLowerLeft);
  return Array.from({ length: FIXED_UNIT_COUNT }, (_, unit) => {
    const value = units.includes(unit) ? point : `gl_TexCoord[${unit}]`;
    return `tessera_TexCoord[${unit}] = ${value};`;
  }).join('\n');
}

const DECLARED_OUTPUT =
  /(layout\s*\([^)]*\)\s*)?\bout\s+(?:(?:low|medium|high)p\s+)?vec4\s+(\w+)\s*;/g;

/** Returns the first color that a fragment shader writes. */
function findOutput(source: string): string {
  if (/\bgl_FragData\b/.test(source)) return 'gl_FragData[0]';
  if (/\bgl_FragColor\b/.test(source)) return 'gl_FragColor';
  for (const [, layout, name] of source.matchAll(DECLARED_OUTPUT)) {
    if (layout === undefined || /\blocation\s*=\s*0\b/.test(layout)) return name!;
  }
  return 'gl_FragColor';
}

function wrap(
  source: string,
  key: InterfaceKey,
  macros: readonly string[],
  declarations: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string {
  const lines = source.split('\n');
  const version = lines.findIndex((line) => /^\s*#\s*version\b/.test(line));
  const head = findDeclarationLine(lines, version + 1);
  const text = (parts: readonly string[]) => parts.filter((part) => part !== '').join('\n');
  return [
    ...lines.slice(0, version + 1),
    `${enableExtensions(key)}${macros.join('\n')}`,
    ...lines.slice(version + 1, head),
    text(declarations),
    ...lines.slice(head),
    '#undef main',
    // The last one of several shaders sees functions of the others by prototype.
    ...(source.includes(NEXT_SHADER) ? ['void tessera_main();'] : []),
    'void main() {',
    text([...before, 'tessera_main();', ...after]),
    '}',
    '',
  ].join('\n');
}

/**
 * Returns the line after the last `#extension` directive and after the conditional that contains
 * it. Of several shaders (join-shaders.ts) only the first one is searched.
 */
function findDeclarationLine(lines: readonly string[], start: number): number {
  let depth = 0;
  let found = start;
  let isPending = false;
  let shaders = 0;
  for (let i = start; i < lines.length; i++) {
    const [, directive = '', word] = /^\s*#\s*(\w+)(?:\s+(\w+))?/.exec(lines[i]!) ?? [];
    if (word === NEXT_SHADER && ++shaders === 2) break;
    if (directive.startsWith('if')) depth++;
    if (directive === 'endif') depth--;
    if (directive === 'extension') isPending = true;
    if (isPending && depth === 0) {
      found = i + 1;
      isPending = false;
    }
  }
  return found;
}
