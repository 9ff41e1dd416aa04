/** Generates GLSL for the fixed vertex stage (OpenGL 2.1, sections 2.11 to 2.14). */

import type { TexgenMode } from '../state/fixed/texture-environment.ts';
import { declareMaterials, lightFace } from './lighting-source.ts';
import type { CoordinateKey, VertexKey } from './program-key.ts';
import {
  declareInterface,
  enableExtensions,
  writeClipDistances,
  writePointSize,
} from './stage-interface.ts';

const COMPONENTS = ['s', 't', 'r', 'q'] as const;

/** GLSL expressions of the fog distance, by its source. */
const FOG_DISTANCES: Readonly<Record<NonNullable<VertexKey['fog']>, string>> = {
  radial: 'length(eye3)',
  plane: 'eye3.z',
  'absolute-plane': 'abs(eye3.z)',
  coordinate: 'gl_FogCoord',
};

/** Returns the GLSL source of the fixed vertex stage for a key. */
export function makeVertexSource(key: VertexKey): string {
  const { lighting, normal, coordinates, fog } = key;
  const modes = coordinates.flatMap(({ texgen }) => texgen);
  const isReflected = modes.includes('sphere-map') || modes.includes('reflection-map');
  const needsNormal = lighting !== null || isReflected || modes.includes('normal-map');
  const lines: string[] = ['gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;'];
  lines.push('vec4 eye = gl_ModelViewMatrix * gl_Vertex;', 'vec3 eye3 = eye.xyz / eye.w;');
  if (needsNormal) lines.push(...writeNormal(normal));
  lines.push(...writeColors(key));
  if (isReflected) {
    lines.push(
      'vec3 sight = normalize(eye3);',
      'vec3 mirrored = sight - 2.0 * dot(normal, sight) * normal;',
    );
  }
  if (modes.includes('sphere-map')) {
    lines.push(
      'vec3 toSphere = mirrored + vec3(0.0, 0.0, 1.0);',
      'vec2 sphere = mirrored.xy * (0.5 * inversesqrt(max(dot(toSphere, toSphere), 1e-30))) + 0.5;',
    );
  }
  for (const coordinate of coordinates) lines.push(writeCoordinate(coordinate));
  if (fog !== null) lines.push(`gl_FogFragCoord = ${FOG_DISTANCES[fog]};`);
  lines.push(writeClipDistances(key.interface, 'eye'), writePointSize(key.interface, 'eye3'));
  return `#version 120
${enableExtensions(key.interface)}${declareMaterials(lighting)}${declareInterface(key.interface)}
void main() {
  ${lines.filter((line) => line !== '').join('\n  ')}
}
`;
}

function writeNormal(normal: VertexKey['normal']): string[] {
  const lines = ['vec3 normal = gl_NormalMatrix * gl_Normal;'];
  // A normal of length 0 keeps length 0.
  if (normal === 'normalize') {
    lines.push('normal *= inversesqrt(max(dot(normal, normal), 1e-30));');
  }
  if (normal === 'rescale') lines.push('normal *= gl_NormalScale;');
  return lines;
}

function writeColors({ lighting, readsSecondaryColor, interface: shared }: VertexKey): string[] {
  const front = shared.isFlat ? 'tessera_Flat' : 'gl_Front';
  const assign = (target: string, primary: string, secondary: string): string[] => [
    `${target}Color = ${primary};`,
    `${target}SecondaryColor = ${secondary};`,
  ];
  if (lighting === null) {
    const secondary = readsSecondaryColor ? 'clamp(gl_SecondaryColor, 0.0, 1.0)' : 'vec4(0.0)';
    const lines = assign(front, 'clamp(gl_Color, 0.0, 1.0)', secondary);
    if (shared.isTwoSided) {
      lines.push(...assign('tessera_Back', 'clamp(gl_Color, 0.0, 1.0)', secondary));
    }
    return lines;
  }
  const lines = ['vec4 primary, specular;', lightFace(lighting, 'Front', 'normal')];
  lines.push(...assign(front, 'primary', 'specular'));
  if (shared.isTwoSided) {
    lines.push('vec3 backNormal = -normal;', lightFace(lighting, 'Back', 'backNormal'));
    lines.push(...assign('tessera_Back', 'primary', 'specular'));
  }
  return lines;
}

function writeCoordinate({ unit, texgen, hasMatrix }: CoordinateKey): string {
  const given = `gl_MultiTexCoord${unit}`;
  let coordinate = given;
  if (texgen.some((mode) => mode !== null)) {
    const parts = texgen.map(
      (mode, index) => generated(mode, index, unit) ?? `${given}.${COMPONENTS[index]}`,
    );
    coordinate = `vec4(${parts.join(', ')})`;
  }
  const matrix = hasMatrix ? `gl_TextureMatrix[${unit}] * ` : '';
  return `gl_TexCoord[${unit}] = ${matrix}${coordinate};`;
}

/**
 * Returns the GLSL expression of one generated coordinate, or `null` if the attribute provides it.
 */
function generated(mode: TexgenMode | null, index: number, unit: number): string | null {
  const axis = COMPONENTS[index]!.toUpperCase();
  switch (mode) {
    case null:
      return null;
    case 'object-linear':
      return `dot(gl_ObjectPlane${axis}[${unit}], gl_Vertex)`;
    case 'eye-linear':
      return `dot(gl_EyePlane${axis}[${unit}], eye)`;
    case 'sphere-map':
      return `sphere.${COMPONENTS[index]}`;
    case 'normal-map':
      return `normal.${'xyz'[index]}`;
    case 'reflection-map':
      return `mirrored.${'xyz'[index]}`;
  }
}
