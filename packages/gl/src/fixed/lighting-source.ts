/** Generates GLSL for the lighting of one face (OpenGL 2.1, section 2.14.1). */
import { materialAttribute } from '../state/fixed/material-attributes.ts';
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
    colors.isOfVertex('emission') || colors.isOfVertex('ambient')
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

/** Returns the declarations of the attributes that replace material parameters. */
export function declareMaterials(key: LightingKey | null): string {
  return (key?.materials ?? []).map((name) => `attribute vec4 ${name};\n`).join('');
}

/**
 * GLSL expressions for a face's material: uniforms, attributes for parameters that change between
 * the vertices, or the current color for tracked ones.
 */
class MaterialColors {
  readonly #key: LightingKey;
  readonly #face: Face;

  constructor(key: LightingKey, face: Face) {
    this.#key = key;
    this.#face = face;
  }

  get shininess(): string {
    const attribute = this.#attributeOf('shininess');
    return attribute === null ? `gl_${this.#face}Material.shininess` : `${attribute}.x`;
  }

  /** Returns whether a color may differ between the vertices of a draw. */
  isOfVertex(color: MaterialColor): boolean {
    return this.#isTracked(color) || this.#attributeOf(color) !== null;
  }

  #isTracked(color: MaterialColor): boolean {
    const { tracked } = this.#key;
    if (tracked === null) return false;
    if (tracked.face !== 'both' && tracked.face !== this.#face.toLowerCase()) return false;
    const isBoth = tracked.colors === 'ambient-and-diffuse';
    return tracked.colors === color || (isBoth && (color === 'ambient' || color === 'diffuse'));
  }

  #attributeOf(member: MaterialColor | 'shininess'): string | null {
    const face = this.#face === 'Front' ? 'front' : 'back';
    const name = materialAttribute(face, member);
    return this.#key.materials.includes(name) ? name : null;
  }

  plain(color: MaterialColor): string {
    if (this.#isTracked(color)) return 'gl_Color';
    return this.#attributeOf(color) ?? `gl_${this.#face}Material.${color}`;
  }

  /** Returns the product of a material color and the matching color of a light. */
  product(color: 'ambient' | 'diffuse' | 'specular', index: number): string {
    return this.isOfVertex(color)
      ? `(${this.plain(color)} * gl_LightSource[${index}].${color})`
      : `gl_${this.#face}LightProduct[${index}].${color}`;
  }
}
