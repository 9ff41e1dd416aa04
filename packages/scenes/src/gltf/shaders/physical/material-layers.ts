/** Inputs of the layers of a material in GLSL, and the statements that read them. */
import type { MaterialLayer, SurfaceFeatures } from '../../features/surface-features.ts';
import { coordinatesOf, scaled } from './texture-lookups.ts';

type Layers = ReadonlySet<MaterialLayer>;

const COMMON_UNIFORMS = `
uniform vec4 u_viewer; // position and 1, or direction and 0
uniform mat3 u_worldToView;
uniform float u_roughnessFactor;
uniform vec3 u_emissiveFactor;
`;

/** Uniforms of each layer. */
const LAYER_UNIFORMS: Readonly<Record<MaterialLayer, string>> = {
  metallic: 'uniform float u_metallicFactor;\n',
  'specular-glossiness': 'uniform vec3 u_specularFactor;\n',
  ior: 'uniform float u_ior;\n',
  specular: 'uniform float u_specularWeight;\nuniform vec3 u_specularColor;\n',
  clearcoat: 'uniform float u_clearcoat;\nuniform float u_clearcoatRoughness;\n',
  sheen: 'uniform vec3 u_sheenColor;\nuniform float u_sheenRoughness;\n',
  iridescence: `uniform float u_iridescence;
uniform float u_iridescenceIor;
uniform vec2 u_iridescenceThickness; // least and greatest, in nm
`,
  anisotropy: 'uniform vec3 u_anisotropy; // strength, cosine and sine of the rotation\n',
  transmission: `uniform float u_transmission;
uniform float u_thickness;
uniform vec3 u_modelScale;
uniform vec3 u_attenuationColor;
uniform float u_attenuationDistance; // 0: no attenuation
`,
  dispersion: 'uniform float u_dispersion;\n',
  'diffuse-transmission': `uniform float u_diffuseTransmission;
uniform vec3 u_diffuseTransmissionColor;
`,
};

/** Returns the declarations of the uniforms of a material. */
export function declareMaterial({ textures }: SurfaceFeatures, layers: Layers): string {
  return (
    COMMON_UNIFORMS +
    (textures.normal === undefined ? '' : 'uniform float u_normalScale;\n') +
    (textures.clearcoatNormal === undefined ? '' : 'uniform float u_clearcoatNormalScale;\n') +
    (textures.occlusion === undefined ? '' : 'uniform float u_occlusionStrength;\n') +
    [...layers].map((layer) => LAYER_UNIFORMS[layer]).join('') +
    (layers.has('ior') || layers.has('specular') ? DIELECTRIC_F0_GLSL : '')
  );
}

const DIELECTRIC_F0_GLSL = `
float dielectricF0(float ior) {
  float root = (ior - 1.0) / (ior + 1.0);
  return root * root;
}
`;

/** Returns the statements that read the factors and textures of a lit material. */
export function readLayers(features: SurfaceFeatures, layers: Layers): string {
  const { textures } = features;
  const read = (layer: MaterialLayer, statements: string): string =>
    layers.has(layer) ? statements : '';
  const from = (factor: string, slot: Parameters<typeof scaled>[2], channels: string): string =>
    scaled(features, factor, slot, channels);
  const needsIor = layers.has('specular') || layers.has('transmission') || layers.has('ior');
  return [
    layers.has('specular-glossiness') ? readSpecularGlossiness(features) : readMetallic(features),
    textures.occlusion === undefined
      ? ''
      : `  float occlusion = 1.0 + u_occlusionStrength * (texture(u_occlusionTexture, ${coordinatesOf(features, 'occlusion')}).r - 1.0);\n`,
    `  vec3 emission = ${from('u_emissiveFactor', 'emissive', '.rgb')};\n`,
    needsIor ? `  float ior = ${layers.has('ior') ? 'u_ior' : '1.5'};\n` : '',
    read(
      'specular',
      `  float specularWeight = ${from('u_specularWeight', 'specular', '.a')};
  vec3 specularColor = ${from('u_specularColor', 'specularColor', '.rgb')};
`,
    ),
    read(
      'clearcoat',
      `  float clearcoat = clamp(${from('u_clearcoat', 'clearcoat', '.r')}, 0.0, 1.0);
  float clearcoatRoughness = ${from('u_clearcoatRoughness', 'clearcoatRoughness', '.g')};
  vec3 coatNormal = ${coatNormal(features)};
`,
    ),
    read(
      'sheen',
      `  vec3 sheenColor = ${from('u_sheenColor', 'sheenColor', '.rgb')};
  float sheenRoughness = max(${from('u_sheenRoughness', 'sheenRoughness', '.a')}, 0.0001);
`,
    ),
    read(
      'iridescence',
      `  float iridescence = ${from('u_iridescence', 'iridescence', '.r')};
  float iridescenceIor = u_iridescenceIor;
  float iridescenceThickness = ${filmThickness(features)};
`,
    ),
    read('anisotropy', readAnisotropy(features)),
    read(
      'transmission',
      `  float transmission = ${from('u_transmission', 'transmission', '.r')};
  float thickness = ${from('u_thickness', 'thickness', '.g')};
`,
    ),
    read(
      'diffuse-transmission',
      `  float diffuseTransmission = ${from('u_diffuseTransmission', 'diffuseTransmission', '.a')};
  vec3 diffuseTransmissionColor = ${from('u_diffuseTransmissionColor', 'diffuseTransmissionColor', '.rgb')};
  vec3 transmittedDiffuse = diffuseRadiance(-normal);
`,
    ),
  ].join('');
}

function readMetallic(features: SurfaceFeatures): string {
  const at = coordinatesOf(features, 'metallicRoughness');
  return at === null
    ? '  float metallic = u_metallicFactor;\n  float roughness = u_roughnessFactor;\n'
    : `  vec2 metallicRoughness = texture(u_metallicRoughnessTexture, ${at}).bg;
  float metallic = u_metallicFactor * metallicRoughness.x;
  float roughness = u_roughnessFactor * metallicRoughness.y;
`;
}

/** KHR_materials_pbrSpecularGlossiness: the roughness factor is the glossiness. */
function readSpecularGlossiness(features: SurfaceFeatures): string {
  const at = coordinatesOf(features, 'specularGlossiness');
  const texel = at === null ? 'vec4(1.0)' : `texture(u_specularGlossinessTexture, ${at})`;
  return `  vec4 specularGlossiness = vec4(u_specularFactor, u_roughnessFactor) * ${texel};
  float metallic = 0.0;
  float roughness = 1.0 - specularGlossiness.a;
  vec3 baseF0 = specularGlossiness.rgb;
  float baseF90 = 1.0;
`;
}

function coatNormal(features: SurfaceFeatures): string {
  const at = coordinatesOf(features, 'clearcoatNormal');
  return at === null
    ? 'flatNormal'
    : `bend(frame, texture(u_clearcoatNormalTexture, ${at}).xyz, u_clearcoatNormalScale)`;
}

function filmThickness(features: SurfaceFeatures): string {
  const at = coordinatesOf(features, 'iridescenceThickness');
  const share = at === null ? null : `texture(u_iridescenceThicknessTexture, ${at}).g`;
  return share === null
    ? 'u_iridescenceThickness.y'
    : `mix(u_iridescenceThickness.x, u_iridescenceThickness.y, ${share})`;
}

function readAnisotropy(features: SurfaceFeatures): string {
  const at = coordinatesOf(features, 'anisotropy');
  const turned =
    at === null
      ? '  vec2 along = u_anisotropy.yz;\n  float anisotropy = u_anisotropy.x;\n'
      : `  vec3 anisotropyTexel = texture(u_anisotropyTexture, ${at}).rgb;
  vec2 along = mat2(u_anisotropy.y, u_anisotropy.z, -u_anisotropy.z, u_anisotropy.y)
             * normalize(anisotropyTexel.rg * 2.0 - 1.0);
  float anisotropy = clamp(u_anisotropy.x * anisotropyTexel.b, 0.0, 1.0);
`;
  return `${turned}  vec3 tangent = normalize(frame[0] * along.x + frame[1] * along.y);
  vec3 bitangent = normalize(cross(normal, tangent));
`;
}
