/** Variables shared by generated and wrapped stages, besides those that GLSL declares. */
import type { CompareFunction } from '@tessera/frame';
import { enableShape } from './coverage-source.ts';
import { type DeclaredInterpolation, SHADE_MODEL_COLORS } from './declared-interpolation.ts';
import type { InterfaceKey } from './program-key.ts';

/** Prefix of the names that the context sets, besides `gl_`. */
export const OWN_PREFIX = 'tessera_';

const COMPARE_OPERATORS: Readonly<Record<CompareFunction, string | null>> = {
  never: null,
  less: '<',
  equal: '==',
  'less-equal': '<=',
  greater: '>',
  'not-equal': '!=',
  'greater-equal': '>=',
  always: null,
};

/** Returns the declarations that both stages have in common. */
export function declareInterface(key: InterfaceKey): string {
  const { isFlat, isTwoSided, clipPlanes, colors = SHADE_MODEL_COLORS } = key;
  const lines: string[] = [];
  const flat = isFlat ? 'flat ' : '';
  if (isFlat) lines.push('flat varying vec4 tessera_FlatColor, tessera_FlatSecondaryColor;');
  if (isTwoSided && colors.primary === null && colors.secondary === null) {
    lines.push(`${flat}varying vec4 tessera_BackColor, tessera_BackSecondaryColor;`);
  } else if (isTwoSided) {
    const qualify = (declared: DeclaredInterpolation) =>
      declared === null ? flat : `${declared} `;
    lines.push(`${qualify(colors.primary)}varying vec4 tessera_BackColor;`);
    lines.push(`${qualify(colors.secondary)}varying vec4 tessera_BackSecondaryColor;`);
  }
  for (const plane of clipPlanes) lines.push(`varying float tessera_ClipDistance${plane};`);
  return lines.join('\n');
}

/** Returns the directives of the extensions that generated code needs. */
export function enableExtensions(key: InterfaceKey): string {
  const flat = key.isFlat ? '#extension GL_TESSERA_flat_varying : enable\n' : '';
  return `${flat}${enableShape(key)}`;
}

/** Returns statements that write the clip-plane distances of a vertex in eye coordinates. */
export function writeClipDistances({ clipPlanes }: InterfaceKey, eye: string): string {
  return clipPlanes
    .map((plane) => `tessera_ClipDistance${plane} = dot(gl_ClipPlane[${plane}], ${eye});`)
    .join('\n  ');
}

/** Returns statements that copy the distances of a vertex that the program itself writes. */
export function copyClipDistances({ clipPlanes }: InterfaceKey): string {
  return clipPlanes
    .map((plane) => `tessera_ClipDistance${plane} = gl_ClipDistance[${plane}];`)
    .join('\n  ');
}

/** Returns statements that discard fragments outside the enabled clip planes. */
export function discardClipped({ clipPlanes }: InterfaceKey): string {
  return clipPlanes.map((plane) => `if (tessera_ClipDistance${plane} < 0.0) discard;`).join('\n  ');
}

/**
 * Returns statements that write the point size when the shader does not (OpenGL 2.1, section 3.3).
 */
export function writePointSize(
  { pointSize, isPointRounded, smooth }: InterfaceKey,
  eye: string | null,
): string {
  if (pointSize === null) return '';
  let size = 'gl_Point.size';
  if (pointSize === 'attenuated' && eye !== null) {
    size += ` * inversesqrt(gl_Point.distanceConstantAttenuation + length(${eye}) *
    (gl_Point.distanceLinearAttenuation + length(${eye}) * gl_Point.distanceQuadraticAttenuation))`;
  }
  size = `clamp(${size}, gl_Point.sizeMin, gl_Point.sizeMax)`;
  // Mesa draws smooth points of a constant size at least 2 pixels wide.
  if (smooth === 'points') {
    return `gl_PointSize = ${pointSize === 'constant' ? `max(2.0, ${size})` : size};`;
  }
  return `gl_PointSize = ${isPointRounded ? `max(1.0, floor(${size} + 0.5))` : size};`;
}

/**
 * Returns the statement of the alpha test.
 *
 * @param alpha GLSL expression of the tested value.
 */
export function testAlpha(compare: CompareFunction | null, alpha: string): string {
  if (compare === null || compare === 'always') return '';
  if (compare === 'never') return 'discard;';
  const operator = COMPARE_OPERATORS[compare];
  return `if (!(clamp(${alpha}, 0.0, 1.0) ${operator} tessera_AlphaReference)) discard;`;
}

/** Returns the declarations that the alpha test needs; empty without a test. */
export function declareAlphaTest(compare: CompareFunction | null): string {
  const isRead = compare !== null && compare !== 'always' && compare !== 'never';
  return isRead ? 'uniform float tessera_AlphaReference;' : '';
}

/**
 * Sampler of the polygon stipple, a pattern of 32×32 pixels from the lower left (OpenGL 2.1,
 * section 3.5.2).
 */
export const STIPPLE_SAMPLER = 'tessera_Stipple';

/** Returns the statement that discards fragments by the polygon stipple; empty if not stippled. */
export function discardStippled(isStippled: boolean): string {
  if (!isStippled) return '';
  return `if (texture2D(${STIPPLE_SAMPLER}, gl_FragCoord.xy / 32.0).r < 0.5) discard;`;
}
