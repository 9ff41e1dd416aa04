/** Material in the form that the surface shaders take: features, uniforms, textures. */
import type { Material } from '@gltf-transform/core';
import type { EmissiveStrength, Transform } from '@gltf-transform/extensions';
import type { TextureBinding, UniformValue } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import { cos, sin } from '../math/deterministic-math.ts';
import type { FullFeatures, TextureFeatures, TextureSlot } from './features/surface-features.ts';
import {
  addTextureUse,
  type MaterialLayers,
  readMaterialLayers,
  type TextureUse,
} from './physical-layers.ts';
import type { TextureLoader } from './texture-loader.ts';

/** Shader inputs of a material. */
export interface SurfaceMaterial {
  /** Features of full quality; null in simple quality. */
  readonly full: FullFeatures | null;
  readonly textureFeatures: Readonly<Partial<Record<TextureSlot, TextureFeatures>>>;
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  readonly textures: Readonly<Record<string, TextureBinding>>;
}

/** Shared inputs of all materials of one import. */
export interface MaterialContext {
  readonly loader: TextureLoader;
  readonly builder: FrameBuilder;
  /** Features that all surfaces share in full quality; null in simple quality. */
  readonly full: Pick<
    FullFeatures,
    'lightCount' | 'shadows' | 'toneMapping' | 'isScreenOccluded'
  > | null;
}

const NO_LAYERS: MaterialLayers = { layers: new Set(), uniforms: {}, textures: [] };

/**
 * Converts a material.
 *
 * @param isUnlit Whether the surface is drawn without light.
 */
export function makeSurfaceMaterial(
  material: Material,
  isUnlit: boolean,
  { loader, builder, full }: MaterialContext,
): SurfaceMaterial {
  const layers = full !== null && !isUnlit ? readMaterialLayers(material) : NO_LAYERS;
  const uniforms: Record<string, UniformValue> = {
    u_baseColorFactor: Float32Array.from(material.getBaseColorFactor()),
  };
  if (material.getAlphaMode() === 'MASK') uniforms.u_alphaCutoff = [material.getAlphaCutoff()];
  if (!isUnlit) {
    const strength =
      material
        .getExtension<EmissiveStrength>('KHR_materials_emissive_strength')
        ?.getEmissiveStrength() ?? 1;
    uniforms.u_metallicFactor = [material.getMetallicFactor()];
    uniforms.u_roughnessFactor = [material.getRoughnessFactor()];
    uniforms.u_emissiveFactor = Float32Array.from(
      material.getEmissiveFactor(),
      (value) => value * strength,
    );
  }
  Object.assign(uniforms, layers.uniforms);
  const textureFeatures: Partial<Record<TextureSlot, TextureFeatures>> = {};
  const textures: Record<string, TextureBinding> = {};
  for (const { slot, isSrgb, texture, use } of [
    ...listTextureUses(material, isUnlit),
    ...layers.textures,
  ]) {
    const transform = use.getExtension<Transform>('KHR_texture_transform');
    const set = transform?.getTexCoord() ?? use.getTexCoord();
    textureFeatures[slot] = { texCoord: set === 1 ? 1 : 0, isTransformed: transform !== null };
    textures[`u_${slot}Texture`] = loader.bind(builder, texture, use, isSrgb);
    if (transform !== null) uniforms[`u_${slot}TexCoordMatrix`] = textureMatrix(transform);
    if (slot === 'normal') uniforms.u_normalScale = [material.getNormalScale()];
    if (slot === 'occlusion') uniforms.u_occlusionStrength = [material.getOcclusionStrength()];
  }
  return {
    full: full && {
      layers: layers.layers,
      output: 'display',
      ...full,
      // The visibility is that of the opaque surfaces.
      isScreenOccluded:
        full.isScreenOccluded &&
        !isUnlit &&
        material.getAlphaMode() !== 'BLEND' &&
        !layers.layers.has('transmission'),
    },
    textureFeatures,
    uniforms,
    textures,
  };
}

/** Lists the textures that a material reads; an unlit one reads only its base color. */
function listTextureUses(material: Material, isUnlit: boolean): TextureUse[] {
  const uses: TextureUse[] = [];
  const add = addTextureUse.bind(null, uses);
  add('baseColor', true, material.getBaseColorTexture(), material.getBaseColorTextureInfo());
  if (isUnlit) return uses;
  add(
    'metallicRoughness',
    false,
    material.getMetallicRoughnessTexture(),
    material.getMetallicRoughnessTextureInfo(),
  );
  add('normal', false, material.getNormalTexture(), material.getNormalTextureInfo());
  add('occlusion', false, material.getOcclusionTexture(), material.getOcclusionTextureInfo());
  add('emissive', true, material.getEmissiveTexture(), material.getEmissiveTextureInfo());
  return uses;
}

/**
 * Returns the 3×3 matrix of KHR_texture_transform in column-major order: translation × rotation ×
 * scale.
 */
export function textureMatrix(transform: Transform): Float32Array {
  const [offsetU, offsetV] = transform.getOffset();
  const [scaleU, scaleV] = transform.getScale();
  const c = cos(transform.getRotation());
  const s = sin(transform.getRotation());
  return Float32Array.of(
    c * scaleU,
    -s * scaleU,
    0,
    s * scaleV,
    c * scaleV,
    0,
    offsetU,
    offsetV,
    1,
  );
}
