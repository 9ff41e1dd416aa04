/**
 * Features of a surface shader. Each field becomes a `#define`, so surfaces with equal features
 * share one program.
 */
import type { Material } from '@gltf-transform/core';
import type { ToneMapping } from './tone-mappings.ts';

/** Texture of a material, as the shaders name it. */
export type TextureSlot = keyof typeof DEFINE_BY_SLOT;

/** Layers and properties of a material in full quality. */
export type MaterialLayer =
  | 'metallic'
  | 'specular-glossiness'
  | 'ior'
  | 'specular'
  | 'clearcoat'
  | 'sheen'
  | 'iridescence'
  | 'anisotropy'
  | 'transmission'
  | 'dispersion'
  | 'diffuse-transmission';

/** Attributes that one morph target provides. */
export interface MorphTargetFeatures {
  readonly hasPosition: boolean;
  readonly hasNormal: boolean;
  readonly hasTangent: boolean;
}

/** Addressing of one texture of the material. */
export interface TextureFeatures {
  readonly texCoord: 0 | 1;
  /** Whether a matrix is applied to the coordinates. */
  readonly isTransformed: boolean;
}

/** Kinds of punctual lights, which shine in parallel rays, in all directions, or in a cone. */
export type LightKind = 'directional' | 'point' | 'spot';

/** Features of a surface in full quality. */
export interface FullFeatures {
  readonly layers: ReadonlySet<MaterialLayer>;
  /** Number of punctual lights. */
  readonly lightCount: number;
  /** Kinds of the first lights, which have shadow maps. */
  readonly shadows: readonly LightKind[];
  /** Whether what the image shows occludes the light of the environment. */
  readonly isScreenOccluded: boolean;
  /** Whether the shader writes encoded colors of the display or linear radiance. */
  readonly output: 'display' | 'radiance';
  readonly toneMapping: ToneMapping;
}

/** Features of one surface. */
export interface SurfaceFeatures {
  /** Features of full quality; null in simple quality. */
  readonly full: FullFeatures | null;
  readonly isUnlit: boolean;
  readonly alphaMode: ReturnType<Material['getAlphaMode']>;
  readonly hasNormals: boolean;
  /** Whether there are tangents; only the normal map needs them. */
  readonly hasTangents: boolean;
  readonly hasColors: boolean;
  readonly textures: Readonly<Partial<Record<TextureSlot, TextureFeatures>>>;
  /** Length of the joint matrix array; 0 without a skin. */
  readonly jointCapacity: number;
  /** Number of morph targets in use; all provide the same attributes. */
  readonly morphTargetCount: number;
  readonly morphTarget: MorphTargetFeatures;
  readonly isInstanced: boolean;
}

/**
 * Stem of the defines of each slot. Its uniforms are `u_<slot>Texture` and
 * `u_<slot>TexCoordMatrix`.
 */
const DEFINE_BY_SLOT = {
  baseColor: 'BASE_COLOR',
  metallicRoughness: 'METALLIC_ROUGHNESS',
  normal: 'NORMAL',
  occlusion: 'OCCLUSION',
  emissive: 'EMISSIVE',
  specularGlossiness: 'SPECULAR_GLOSSINESS',
  specular: 'SPECULAR',
  specularColor: 'SPECULAR_COLOR',
  clearcoat: 'CLEARCOAT',
  clearcoatRoughness: 'CLEARCOAT_ROUGHNESS',
  clearcoatNormal: 'CLEARCOAT_NORMAL',
  sheenColor: 'SHEEN_COLOR',
  sheenRoughness: 'SHEEN_ROUGHNESS',
  iridescence: 'IRIDESCENCE',
  iridescenceThickness: 'IRIDESCENCE_THICKNESS',
  anisotropy: 'ANISOTROPY',
  transmission: 'TRANSMISSION',
  thickness: 'THICKNESS',
  diffuseTransmission: 'DIFFUSE_TRANSMISSION',
  diffuseTransmissionColor: 'DIFFUSE_TRANSMISSION_COLOR',
} as const;

/**
 * Whether a surface reads a set of texture coordinates. Anisotropy without tangents follows set 0.
 */
export function readsTexCoord(
  { textures, full, hasTangents }: Pick<SurfaceFeatures, 'textures' | 'full' | 'hasTangents'>,
  set: 0 | 1,
): boolean {
  return (
    Object.values(textures).some((use) => use.texCoord === set) ||
    (set === 0 && !hasTangents && full?.layers.has('anisotropy') === true)
  );
}

/** Returns the `#define` lines of both stages, in a fixed order. */
export function writeDefines(features: SurfaceFeatures): string {
  const lines: string[] = [];
  const define = (isOn: boolean, name: string, value = '1'): void => {
    if (isOn) lines.push(`#define ${name} ${value}`);
  };
  define(features.isUnlit, 'IS_UNLIT');
  define(features.alphaMode === 'MASK', 'IS_ALPHA_MASKED');
  define(features.alphaMode === 'BLEND', 'IS_ALPHA_BLENDED');
  define(features.hasNormals, 'HAS_NORMALS');
  define(features.hasTangents, 'HAS_TANGENTS');
  define(features.hasColors, 'HAS_COLORS');
  define(readsTexCoord(features, 0), 'HAS_TEX_COORD_0');
  define(readsTexCoord(features, 1), 'HAS_TEX_COORD_1');
  define(features.jointCapacity > 0, 'JOINT_CAPACITY', String(features.jointCapacity));
  define(features.morphTargetCount > 0, 'MORPH_TARGET_COUNT', String(features.morphTargetCount));
  define(features.isInstanced, 'IS_INSTANCED');
  if (features.full !== null) return joinLines(lines);
  for (const [slot, name] of Object.entries(DEFINE_BY_SLOT)) {
    const use = features.textures[slot as TextureSlot]; // a key of the table of slots
    if (use === undefined) continue;
    const texCoord = `v_texCoord${use.texCoord}`;
    const matrix = `u_${slot}TexCoordMatrix`;
    define(use.isTransformed, `HAS_${name}_MATRIX`);
    define(
      true,
      `${name}_TEX_COORD`,
      use.isTransformed ? `(${matrix} * vec3(${texCoord}, 1.0)).xy` : texCoord,
    );
  }
  return joinLines(lines);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
