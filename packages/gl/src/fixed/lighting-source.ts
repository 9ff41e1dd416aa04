/** Generates GLSL for the lighting of one face (OpenGL 2.1, section 2.14.1). */
import type { LightingKey, LightKey } from './program-key.ts';

type Face = 'Front' | 'Back';
type MaterialColor = 'emission' | 'ambient' | 'diffuse' | 'specular';

/**
 * Returns statements that light `normal` and write `primary` and `specular`, two vec4 declared by
 * the caller. They read `eye3`, the vertex in eye coordinates.
 */
export function lightFace(key: LightingKey, face: Face, normal: string): string {
  const colors = new MaterialColors(key, face);
  const lights = key.lights.map((light) => addLight(key, light, colors, normal)).join('');
  const alpha = `${colors.plain('diffuse')}.a`;
  const scene =
    colors.isTracked('emission') || colors.isTracked('ambient')
      ? `${colors.plain('emission')}.rgb + ${colors.plain('ambient')}.rgb * gl_LightModel.ambient.rgb`
      : `gl_${face}LightModelProduct.sceneColor.rgb`;
  const sum = key.isSpecularSeparate
    ? `primary = vec4(clamp(diffuseSum, 0.0, 1.0), ${alpha});
    specular = vec4(clamp(specularSum, 0.0, 1.0), 0.0);`
    : `primary = vec4(clamp(diffuseSum + specularSum, 0.0, 1.0), ${alpha});
    specular = vec4(0.0);`;
  return `{
    vec3 diffuseSum = ${scene};
    vec3 specularSum = vec3(0.0);${lights}
    ${sum}
    primary.a = clamp(primary.a, 0.0, 1.0);
  }`;
}

function addLight(
  { isLocalViewer }: LightingKey,
  { index, isPositional, isSpot, isAttenuated }: LightKey,
  colors: MaterialColors,
  normal: string,
): string {
  const light = `gl_LightSource[${index}]`;
  const lines: string[] = [];
  if (isPositional) {
    lines.push(
      `vec3 toLight = ${light}.position.xyz / ${light}.position.w - eye3;`,
      'float lightDistance = length(toLight);',
      'toLight = lightDistance > 0.0 ? toLight / lightDistance : vec3(0.0);',
    );
  } else {
    lines.push(`vec3 toLight = normalize(${light}.position.xyz);`);
  }
  lines.push('float strength = 1.0;');
  if (isAttenuated) {
    lines.push(
      `strength = 1.0 / (${light}.constantAttenuation + lightDistance *
        (${light}.linearAttenuation + lightDistance * ${light}.quadraticAttenuation));`,
    );
  }
  if (isSpot) {
    lines.push(
      `float spot = dot(-toLight, normalize(${light}.spotDirection));`,
      `strength *= spot < ${light}.spotCosCutoff ? 0.0 : pow(max(spot, 1e-20), ${light}.spotExponent);`,
    );
  }
  const needsHalf = isLocalViewer || isPositional;
  const half = isLocalViewer
    ? 'normalize(toLight - normalize(eye3))'
    : 'normalize(toLight + vec3(0.0, 0.0, 1.0))';
  lines.push(
    `float lit = dot(${normal}, toLight);`,
    `vec3 added = ${colors.product('ambient', index)}.rgb;`,
    `vec3 halfVector = ${needsHalf ? half : `${light}.halfVector.xyz`};`,
    `float shine = pow(max(dot(${normal}, halfVector), 1e-20), ${colors.shininess});`,
    `if (lit > 0.0) {
        added += lit * ${colors.product('diffuse', index)}.rgb;
        specularSum += strength * shine * ${colors.product('specular', index)}.rgb;
      }`,
    'diffuseSum += strength * added;',
  );
  return `
    {
      ${lines.join('\n      ')}
    }`;
}

/**
 * GLSL expressions for a face's material colors: uniforms, or the current color for tracked ones.
 */
class MaterialColors {
  readonly #key: LightingKey;
  readonly #face: Face;

  constructor(key: LightingKey, face: Face) {
    this.#key = key;
    this.#face = face;
  }

  get shininess(): string {
    return `gl_${this.#face}Material.shininess`;
  }

  isTracked(color: MaterialColor): boolean {
    const { tracked } = this.#key;
    if (tracked === null) return false;
    if (tracked.face !== 'both' && tracked.face !== this.#face.toLowerCase()) return false;
    const isBoth = tracked.colors === 'ambient-and-diffuse';
    return tracked.colors === color || (isBoth && (color === 'ambient' || color === 'diffuse'));
  }

  plain(color: MaterialColor): string {
    return this.isTracked(color) ? 'gl_Color' : `gl_${this.#face}Material.${color}`;
  }

  /** Returns the product of a material color and the matching color of a light. */
  product(color: 'ambient' | 'diffuse' | 'specular', index: number): string {
    return this.isTracked(color)
      ? `(gl_Color * gl_LightSource[${index}].${color})`
      : `gl_${this.#face}LightProduct[${index}].${color}`;
  }
}
