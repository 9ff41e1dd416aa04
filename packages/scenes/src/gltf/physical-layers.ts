/**
 * Layers of a material in full quality: the material extensions of Khronos, as features, uniforms
 * and textures of the shaders.
 */
import type { Material, Texture, TextureInfo } from '@gltf-transform/core';
import type {
  Anisotropy,
  Clearcoat,
  DiffuseTransmission,
  Dispersion,
  IOR,
  Iridescence,
  PBRSpecularGlossiness,
  Sheen,
  Specular,
  Transmission,
  Volume,
} from '@gltf-transform/extensions';
import type { UniformValue } from '@tessera/frame';
import { cos, sin } from '../math/deterministic-math.ts';
import type { MaterialLayer, TextureSlot } from './features/surface-features.ts';

/** Texture that a material reads. */
export interface TextureUse {
  readonly slot: TextureSlot;
  readonly isSrgb: boolean;
  readonly texture: Texture;
  readonly use: TextureInfo;
}

/** Shader inputs of the layers of a material. */
export interface MaterialLayers {
  readonly layers: ReadonlySet<MaterialLayer>;
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  readonly textures: readonly TextureUse[];
}

/** Collector of the inputs of a material. */
class LayerCollector implements MaterialLayers {
  readonly layers = new Set<MaterialLayer>();
  readonly uniforms: Record<string, UniformValue> = {};
  readonly textures: TextureUse[] = [];

  addLayer(layer: MaterialLayer, uniforms: Readonly<Record<string, UniformValue>>): void {
    this.layers.add(layer);
    Object.assign(this.uniforms, uniforms);
  }

  addTexture(
    slot: TextureSlot,
    isSrgb: boolean,
    texture: Texture | null,
    use: TextureInfo | null,
  ): void {
    addTextureUse(this.textures, slot, isSrgb, texture, use);
  }
}

/** Appends the use of a texture, if the material has it. */
export function addTextureUse(
  uses: TextureUse[],
  slot: TextureSlot,
  isSrgb: boolean,
  texture: Texture | null,
  use: TextureInfo | null,
): void {
  if (texture !== null && use !== null) uses.push({ slot, isSrgb, texture, use });
}

/** Converts the layers of a lit material. */
export function readMaterialLayers(material: Material): MaterialLayers {
  const layers = new LayerCollector();
  const glossy = material.getExtension<PBRSpecularGlossiness>(
    'KHR_materials_pbrSpecularGlossiness',
  );
  if (glossy === null)
    layers.addLayer('metallic', {}); // its uniform is of all qualities
  else addSpecularGlossiness(layers, glossy);
  addReflectance(layers, material);
  addClearcoat(layers, material);
  addSheen(layers, material);
  addIridescence(layers, material);
  addAnisotropy(layers, material);
  addTransmission(layers, material);
  addDiffuseTransmission(layers, material);
  return layers;
}

function addSpecularGlossiness(layers: LayerCollector, glossy: PBRSpecularGlossiness): void {
  layers.addLayer('specular-glossiness', {
    u_baseColorFactor: Float32Array.from(glossy.getDiffuseFactor()),
    u_specularFactor: Float32Array.from(glossy.getSpecularFactor()),
    u_roughnessFactor: [glossy.getGlossinessFactor()],
  });
  layers.addTexture('baseColor', true, glossy.getDiffuseTexture(), glossy.getDiffuseTextureInfo());
  layers.addTexture(
    'specularGlossiness',
    true,
    glossy.getSpecularGlossinessTexture(),
    glossy.getSpecularGlossinessTextureInfo(),
  );
}

function addReflectance(layers: LayerCollector, material: Material): void {
  const ior = material.getExtension<IOR>('KHR_materials_ior');
  if (ior !== null) layers.addLayer('ior', { u_ior: [ior.getIOR()] });
  const specular = material.getExtension<Specular>('KHR_materials_specular');
  if (specular === null) return;
  layers.addLayer('specular', {
    u_specularWeight: [specular.getSpecularFactor()],
    u_specularColor: Float32Array.from(specular.getSpecularColorFactor()),
  });
  layers.addTexture(
    'specular',
    false,
    specular.getSpecularTexture(),
    specular.getSpecularTextureInfo(),
  );
  layers.addTexture(
    'specularColor',
    true,
    specular.getSpecularColorTexture(),
    specular.getSpecularColorTextureInfo(),
  );
}

function addClearcoat(layers: LayerCollector, material: Material): void {
  const coat = material.getExtension<Clearcoat>('KHR_materials_clearcoat');
  if (coat === null || coat.getClearcoatFactor() === 0) return;
  layers.addLayer('clearcoat', {
    u_clearcoat: [coat.getClearcoatFactor()],
    u_clearcoatRoughness: [coat.getClearcoatRoughnessFactor()],
  });
  layers.addTexture('clearcoat', false, coat.getClearcoatTexture(), coat.getClearcoatTextureInfo());
  layers.addTexture(
    'clearcoatRoughness',
    false,
    coat.getClearcoatRoughnessTexture(),
    coat.getClearcoatRoughnessTextureInfo(),
  );
  const normal = coat.getClearcoatNormalTexture();
  if (normal === null) return;
  layers.uniforms.u_clearcoatNormalScale = [coat.getClearcoatNormalScale()];
  layers.addTexture('clearcoatNormal', false, normal, coat.getClearcoatNormalTextureInfo());
}

function addSheen(layers: LayerCollector, material: Material): void {
  const sheen = material.getExtension<Sheen>('KHR_materials_sheen');
  if (sheen === null || sheen.getSheenColorFactor().every((channel) => channel === 0)) return;
  layers.addLayer('sheen', {
    u_sheenColor: Float32Array.from(sheen.getSheenColorFactor()),
    u_sheenRoughness: [sheen.getSheenRoughnessFactor()],
  });
  layers.addTexture(
    'sheenColor',
    true,
    sheen.getSheenColorTexture(),
    sheen.getSheenColorTextureInfo(),
  );
  layers.addTexture(
    'sheenRoughness',
    false,
    sheen.getSheenRoughnessTexture(),
    sheen.getSheenRoughnessTextureInfo(),
  );
}

function addIridescence(layers: LayerCollector, material: Material): void {
  const film = material.getExtension<Iridescence>('KHR_materials_iridescence');
  if (film === null || film.getIridescenceFactor() === 0) return;
  layers.addLayer('iridescence', {
    u_iridescence: [film.getIridescenceFactor()],
    u_iridescenceIor: [film.getIridescenceIOR()],
    u_iridescenceThickness: [
      film.getIridescenceThicknessMinimum(),
      film.getIridescenceThicknessMaximum(),
    ],
  });
  layers.addTexture(
    'iridescence',
    false,
    film.getIridescenceTexture(),
    film.getIridescenceTextureInfo(),
  );
  layers.addTexture(
    'iridescenceThickness',
    false,
    film.getIridescenceThicknessTexture(),
    film.getIridescenceThicknessTextureInfo(),
  );
}

function addAnisotropy(layers: LayerCollector, material: Material): void {
  const stretch = material.getExtension<Anisotropy>('KHR_materials_anisotropy');
  if (stretch === null || stretch.getAnisotropyStrength() === 0) return;
  const rotation = stretch.getAnisotropyRotation();
  layers.addLayer('anisotropy', {
    u_anisotropy: [stretch.getAnisotropyStrength(), cos(rotation), sin(rotation)],
  });
  layers.addTexture(
    'anisotropy',
    false,
    stretch.getAnisotropyTexture(),
    stretch.getAnisotropyTextureInfo(),
  );
}

/** Adds transmission with the volume behind the surface, which has no effect without it. */
function addTransmission(layers: LayerCollector, material: Material): void {
  const transmission = material.getExtension<Transmission>('KHR_materials_transmission');
  if (transmission === null || transmission.getTransmissionFactor() === 0) return;
  const volume = material.getExtension<Volume>('KHR_materials_volume');
  const distance = volume?.getAttenuationDistance() ?? Number.POSITIVE_INFINITY;
  layers.addLayer('transmission', {
    u_transmission: [transmission.getTransmissionFactor()],
    u_thickness: [volume?.getThicknessFactor() ?? 0],
    u_attenuationColor: Float32Array.from(volume?.getAttenuationColor() ?? [1, 1, 1]),
    u_attenuationDistance: [Number.isFinite(distance) ? distance : 0],
  });
  layers.addTexture(
    'transmission',
    false,
    transmission.getTransmissionTexture(),
    transmission.getTransmissionTextureInfo(),
  );
  if (volume !== null) {
    layers.addTexture(
      'thickness',
      false,
      volume.getThicknessTexture(),
      volume.getThicknessTextureInfo(),
    );
  }
  const dispersion = material.getExtension<Dispersion>('KHR_materials_dispersion');
  if (dispersion !== null && dispersion.getDispersion() > 0) {
    layers.addLayer('dispersion', { u_dispersion: [dispersion.getDispersion()] });
  }
}

function addDiffuseTransmission(layers: LayerCollector, material: Material): void {
  const diffuse = material.getExtension<DiffuseTransmission>('KHR_materials_diffuse_transmission');
  if (diffuse === null || diffuse.getDiffuseTransmissionFactor() === 0) return;
  layers.addLayer('diffuse-transmission', {
    u_diffuseTransmission: [diffuse.getDiffuseTransmissionFactor()],
    u_diffuseTransmissionColor: Float32Array.from(diffuse.getDiffuseTransmissionColorFactor()),
  });
  layers.addTexture(
    'diffuseTransmission',
    false,
    diffuse.getDiffuseTransmissionTexture(),
    diffuse.getDiffuseTransmissionTextureInfo(),
  );
  layers.addTexture(
    'diffuseTransmissionColor',
    true,
    diffuse.getDiffuseTransmissionColorTexture(),
    diffuse.getDiffuseTransmissionColorTextureInfo(),
  );
}
