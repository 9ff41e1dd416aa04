/** Lighting of the raster position (OpenGL 2.1, sections 2.13 and 2.14.1), by its front face. */
import { clampColor } from '../clamp-values.ts';
import type { Light, LightingValues, Material, Vector3, Vector4 } from './lighting-state.ts';

/** Vertex to be lit. */
export interface LitVertex {
  /** Position and unit normal in eye coordinates. */
  readonly eye: Vector3;
  readonly normal: Vector3;
  readonly lights: readonly Light[];
  readonly material: Material;
}

/** Colors of a lit vertex. */
export interface LitColors {
  readonly primary: Vector4;
  readonly secondary: Vector4;
}

/** Returns the colors of a vertex. */
export function lightVertex(vertex: LitVertex, values: LightingValues): LitColors {
  const { material, lights } = vertex;
  const diffuse = [0, 1, 2].map(
    (i) => material.emission[i]! + material.ambient[i]! * values.modelAmbient[i]!,
  );
  const specular = [0, 0, 0];
  for (const light of lights) {
    const { strength, lit, shine } = measureLight(light, vertex, values.isLocalViewer);
    for (let i = 0; i < 3; i++) {
      diffuse[i]! += strength * material.ambient[i]! * light.ambient[i]!;
      diffuse[i]! += strength * lit * material.diffuse[i]! * light.diffuse[i]!;
      specular[i]! += strength * shine * material.specular[i]! * light.specular[i]!;
    }
  }
  const alpha = material.diffuse[3];
  const color = ([red, green, blue]: readonly number[], a: number): Vector4 =>
    clampColor([red!, green!, blue!, a]);
  if (values.isSpecularSeparate) {
    return { primary: color(diffuse, alpha), secondary: color(specular, 0) };
  }
  const sum = diffuse.map((value, i) => value + specular[i]!);
  return { primary: color(sum, alpha), secondary: [0, 0, 0, 0] };
}

/** Returns the attenuation of a light with its cone, and the factors of diffuse and specular. */
function measureLight(
  light: Light,
  { eye, normal, material }: LitVertex,
  isLocalViewer: boolean,
): { readonly strength: number; readonly lit: number; readonly shine: number } {
  const { position, attenuation, spotCutoff, spotDirection, spotExponent } = light;
  const [x, y, z, w] = position;
  const offset: Vector3 = w === 0 ? [x, y, z] : [x / w - eye[0], y / w - eye[1], z / w - eye[2]];
  const distance = Math.hypot(...offset);
  const toLight = normalize(offset);
  let strength = 1;
  if (w !== 0) {
    strength = 1 / (attenuation[0] + distance * (attenuation[1] + distance * attenuation[2]));
  }
  if (spotCutoff !== 180) {
    const spot = -dot(toLight, normalize(spotDirection));
    strength *=
      spot < Math.cos((spotCutoff * Math.PI) / 180) ? 0 : Math.max(spot, 0) ** spotExponent;
  }
  const lit = dot(normal, toLight);
  if (lit <= 0) return { strength, lit: 0, shine: 0 };
  const sight = isLocalViewer ? normalize(eye) : ([0, 0, -1] as const);
  const half = normalize([toLight[0] - sight[0], toLight[1] - sight[1], toLight[2] - sight[2]]);
  return { strength, lit, shine: Math.max(dot(normal, half), 0) ** material.shininess };
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Returns a vector of length 1; a vector of length 0 stays. */
export function normalize(vector: Vector3): Vector3 {
  const length = Math.hypot(...vector) || 1;
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
