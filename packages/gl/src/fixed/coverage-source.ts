/**
 * GLSL of antialiased lines and points and of line stipple (OpenGL 2.1, sections 3.3 and 3.4).
 * Coverage is computed as Mesa's software renderers do, and multiplies the alpha of the first
 * color. `gl_ShapeTESSERA` has the place of the fragment: its offset from the start of the line in
 * pixels and the vector to the line's end, or the coordinate inside a point and the point's size.
 * For polygons that are filled in the same draw, the last two components are 0.
 */
import type { InterfaceKey } from './program-key.ts';

const LINE_COVERAGE = `float tessera_coverage() {
  if (gl_ShapeTESSERA.zw == vec2(0.0)) return 1.0;
  vec2 offset = gl_ShapeTESSERA.xy;
  float length = length(gl_ShapeTESSERA.zw);
  vec2 along = gl_ShapeTESSERA.zw / length;
  float reach = max(1.0, 0.5 * tessera_LineWidth + 0.5);
  float side = reach - abs(offset.x * along.y - offset.y * along.x);
  float end = 0.5 * length + 0.5 - abs(dot(offset, along) - 0.5 * length);
  return clamp(side, 0.0, 1.0) * min(clamp(end, 0.0, 1.0), length);
}`;

/**
 * Mesa compares the wrong way round: alpha falls with the distance inside of the threshold, where
 * coverage is above 1, and is whole outside. OpenGL leaves the computation to implementations
 * (section 3.2), and all of Mesa's software renderers draw these discs.
 */
const POINT_COVERAGE = `float tessera_coverage() {
  if (gl_ShapeTESSERA.z == 0.0) return 1.0;
  vec2 place = 2.0 * gl_ShapeTESSERA.xy - 1.0;
  float inner = 1.0 - 2.0 / gl_ShapeTESSERA.z;
  inner *= inner;
  float distance = dot(place, place);
  if (distance > 1.0) discard;
  return distance <= inner ? (1.0 - distance) / (1.0 - inner) : 1.0;
}`;

/**
 * A fragment belongs to the bit where the line leaves the diamond of its pixel (OpenGL 2.1, section
 * 3.4.1), measured from the start along the longer axis. Both sides that the line may leave through
 * are tried, and the nearer one counts. Columns of wide lines belong to one bit. Rounding to 1/256
 * pixel must not change the bit.
 */
const LINE_STIPPLE = `uniform float tessera_LineStipple[16];
uniform float tessera_LineStippleFactor;
bool tessera_isStippled() {
  if (gl_ShapeTESSERA.zw == vec2(0.0)) return false;
  vec2 offset = gl_ShapeTESSERA.xy;
  vec2 along = gl_ShapeTESSERA.zw;
  if (abs(along.y) > abs(along.x)) {
    offset = offset.yx;
    along = along.yx;
  }
  float slope = along.y / abs(along.x);
  offset.x *= sign(along.x);
  float side = offset.x * slope - offset.y;
  float exit = min((0.5 - side) / max(1.0 + slope, 1e-6), (0.5 + side) / max(1.0 - slope, 1e-6));
  if (tessera_LineWidth >= 1.5) exit = 0.5;
  float place = floor(offset.x + exit + 0.00390625);
  return tessera_LineStipple[int(mod(floor(place / tessera_LineStippleFactor), 16.0))] < 0.5;
}`;

/** Returns the directive that permits `gl_ShapeTESSERA`; empty if no shader reads it. */
export function enableShape({ smooth, isLineStippled }: InterfaceKey): string {
  if (smooth === null && !isLineStippled) return '';
  return '#extension GL_TESSERA_shape : enable\n';
}

/** Returns the declarations of a fragment shader for coverage and line stipple. */
export function declareCoverage({ smooth, isLineStippled }: InterfaceKey): string {
  const isLine = isLineStippled || smooth === 'lines';
  const parts = isLine ? ['uniform float tessera_LineWidth;'] : [];
  if (isLineStippled) parts.push(LINE_STIPPLE);
  if (smooth !== null) parts.push(smooth === 'lines' ? LINE_COVERAGE : POINT_COVERAGE);
  return parts.join('\n');
}

/**
 * Returns the statement that drops fragments between the dashes of a line; empty if not stippled.
 */
export function discardBetweenDashes({ isLineStippled }: InterfaceKey): string {
  return isLineStippled ? 'if (tessera_isStippled()) discard;' : '';
}

/**
 * Returns the statement that multiplies alpha by coverage; empty without antialiasing.
 *
 * @param alpha GLSL expression of the alpha that is written.
 */
export function weighAlpha({ smooth }: InterfaceKey, alpha: string): string {
  return smooth === null ? '' : `${alpha} *= tessera_coverage();`;
}
