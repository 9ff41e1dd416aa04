/** A material as the surface shaders take it: features, uniforms, textures. */
import type { TextureBinding, UniformValue } from '@tessera/frame';
import type { FrameBuilder } from '../frame-builder.ts';
import { cos, sin } from '../math/deterministic-math.ts';
import type { GltfMaterial, TextureSlot, TextureTransform, TextureUse } from './gltf-model.ts';
import type { TextureFeatures } from './shaders/surface-features.ts';
import type { TextureLoader } from './texture-loader.ts';

/** What glTF 2.0, 5.22 gives a primitive without material. */
export const DEFAULT_MATERIAL: GltfMaterial = Object.freeze({
  baseColorFactor: [1, 1, 1, 1],
  metallicFactor: 1,
  roughnessFactor: 1,
  emissiveFactor: [0, 0, 0],
  normalScale: 1,
  occlusionStrength: 1,
  alphaMode: 'OPAQUE',
  alphaCutoff: 0.5,
  isDoubleSided: false,
  isUnlit: false,
  textures: {},
});

export interface SurfaceMaterial {
  readonly textureFeatures: Readonly<Partial<Record<TextureSlot, TextureFeatures>>>;
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  readonly textures: Readonly<Record<string, TextureBinding>>;
}

/** The textures that a material reads; an unlit one reads its base colour alone. */
export function usedTextures(
  material: GltfMaterial,
  isUnlit: boolean,
): readonly (readonly [TextureSlot, TextureUse])[] {
  // The keys of `textures` are slots.
  const uses = Object.entries(material.textures) as [TextureSlot, TextureUse][];
  return isUnlit ? uses.filter(([slot]) => slot === 'baseColor') : uses;
}

/** @param isUnlit Whether the surface is drawn without light. */
export function makeSurfaceMaterial(
  material: GltfMaterial,
  isUnlit: boolean,
  loader: TextureLoader,
  builder: FrameBuilder,
): SurfaceMaterial {
  const uniforms: Record<string, UniformValue> = {
    u_baseColorFactor: Float32Array.from(material.baseColorFactor),
  };
  if (material.alphaMode === 'MASK') uniforms.u_alphaCutoff = [material.alphaCutoff];
  if (!isUnlit) {
    uniforms.u_metallicFactor = [material.metallicFactor];
    uniforms.u_roughnessFactor = [material.roughnessFactor];
    uniforms.u_emissiveFactor = Float32Array.from(material.emissiveFactor);
  }
  const textureFeatures: Partial<Record<TextureSlot, TextureFeatures>> = {};
  const textures: Record<string, TextureBinding> = {};
  for (const [slot, use] of usedTextures(material, isUnlit)) {
    textureFeatures[slot] = { texCoord: use.texCoord, isTransformed: use.transform !== null };
    textures[`u_${slot}Texture`] = loader.bind(builder, use.textureIndex, slot);
    if (use.transform !== null) {
      uniforms[`u_${slot}TexCoordMatrix`] = textureMatrix(use.transform);
    }
    if (slot === 'normal') uniforms.u_normalScale = [material.normalScale];
    if (slot === 'occlusion') uniforms.u_occlusionStrength = [material.occlusionStrength];
  }
  return { textureFeatures, uniforms, textures };
}

/** The 3×3 matrix of KHR_texture_transform, column by column: translation × rotation × scale. */
export function textureMatrix(transform: TextureTransform): Float32Array {
  const { offset, rotation, scale } = transform;
  const c = cos(rotation);
  const s = sin(rotation);
  return Float32Array.of(
    c * scale[0],
    -s * scale[0],
    0,
    s * scale[1],
    c * scale[1],
    0,
    offset[0],
    offset[1],
    1,
  );
}
