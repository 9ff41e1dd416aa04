/**
 * Features of a surface shader. Each field becomes a `#define`, so surfaces with equal features
 * share one program.
 */
import type { Material } from '@gltf-transform/core';

/** Texture of a material, as the shaders name it. */
export type TextureSlot = 'baseColor' | 'metallicRoughness' | 'normal' | 'occlusion' | 'emissive';

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

/** Features of one surface. */
export interface SurfaceFeatures {
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
const DEFINE_BY_SLOT: Readonly<Record<TextureSlot, string>> = {
  baseColor: 'BASE_COLOR',
  metallicRoughness: 'METALLIC_ROUGHNESS',
  normal: 'NORMAL',
  occlusion: 'OCCLUSION',
  emissive: 'EMISSIVE',
};

/** Returns the `#define` lines of both stages, in a fixed order. */
export function writeDefines(features: SurfaceFeatures): string {
  const lines: string[] = [];
  const define = (isOn: boolean, name: string, value = '1'): void => {
    if (isOn) lines.push(`#define ${name} ${value}`);
  };
  const uses = Object.values(features.textures);
  define(features.isUnlit, 'IS_UNLIT');
  define(features.alphaMode === 'MASK', 'IS_ALPHA_MASKED');
  define(features.alphaMode === 'BLEND', 'IS_ALPHA_BLENDED');
  define(features.hasNormals, 'HAS_NORMALS');
  define(features.hasTangents, 'HAS_TANGENTS');
  define(features.hasColors, 'HAS_COLORS');
  define(
    uses.some((use) => use.texCoord === 0),
    'HAS_TEX_COORD_0',
  );
  define(
    uses.some((use) => use.texCoord === 1),
    'HAS_TEX_COORD_1',
  );
  define(features.jointCapacity > 0, 'JOINT_CAPACITY', String(features.jointCapacity));
  define(features.morphTargetCount > 0, 'MORPH_TARGET_COUNT', String(features.morphTargetCount));
  define(features.isInstanced, 'IS_INSTANCED');
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
  return lines.map((line) => `${line}\n`).join('');
}
