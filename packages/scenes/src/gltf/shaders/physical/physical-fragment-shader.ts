/**
 * Fragment shader of surfaces in full quality: the material model of glTF 2.0 and its extensions
 * under an environment and punctual lights. The text has only what a material uses.
 */
import type { FullFeatures, SurfaceFeatures } from '../../features/surface-features.ts';
import { VARYINGS_GLSL } from '../common/varyings.ts';
import { ENVIRONMENT_LIGHT_GLSL } from './environment-light.ts';
import { declareMaterial, readLayers } from './material-layers.ts';
import {
  ANISOTROPIC_GGX_GLSL,
  MICROFACETS_GLSL,
  SHEEN_GLSL,
  THIN_FILM_GLSL,
} from './microfacets.ts';
import { SCREEN_VISIBILITY_GLSL } from './occlusion-lookup.ts';
import { writePunctualLights } from './punctual-lights.ts';
import { computeNormal, writeNormals } from './shading-normal.ts';
import { writeShadows } from './shadows.ts';
import { declareTextures, scaled } from './texture-lookups.ts';
import { writeDisplayColor } from './tone-mapping.ts';
import { writeTransmission } from './transmission.ts';

const INPUTS_GLSL = `precision highp float;

uniform vec4 u_baseColorFactor;
uniform float u_alphaCutoff;
${VARYINGS_GLSL}#ifndef IS_UNLIT
in vec3 v_worldPosition;
#endif
out vec4 o_color;
`;

type Layers = FullFeatures['layers'];

/** Returns GLSL ES 3.00 without version line and defines. */
export function writePhysicalFragmentShader(features: SurfaceFeatures, full: FullFeatures): string {
  const { layers, lightCount, shadows, output, toneMapping } = full;
  const declarations = INPUTS_GLSL + declareTextures(features);
  const display = output === 'radiance' ? '' : writeDisplayColor(toneMapping);
  return features.isUnlit
    ? declarations + display + writeBaseColor(features) + writeUnlitMain(full)
    : declarations +
        declareMaterial(features, layers) +
        MICROFACETS_GLSL +
        (layers.has('anisotropy') ? ANISOTROPIC_GGX_GLSL : '') +
        (layers.has('sheen') ? SHEEN_GLSL : '') +
        (layers.has('iridescence') ? THIN_FILM_GLSL : '') +
        ENVIRONMENT_LIGHT_GLSL +
        (full.isScreenOccluded ? SCREEN_VISIBILITY_GLSL : '') +
        (lightCount > 0 ? writePunctualLights(lightCount) : '') +
        (shadows.length > 0 ? writeShadows(shadows) : '') +
        (layers.has('transmission') ? writeTransmission(layers.has('dispersion')) : '') +
        display +
        writeNormals(features, layers) +
        writeBaseColor(features) +
        writeLitMain(features, full);
}

function writeBaseColor(features: SurfaceFeatures): string {
  const mask = '  if (color.a < u_alphaCutoff) {\n    discard;\n  }\n';
  return `
vec4 baseColor() {
  vec4 color = ${scaled(features, 'u_baseColorFactor', 'baseColor', '')};
${features.hasColors ? '  color *= v_color;\n' : ''}${features.alphaMode === 'MASK' ? mask : ''}${
  features.alphaMode === 'BLEND' ? '' : '  color.a = 1.0;\n'
}  return color;
}
`;
}

/** Unlit colors are those of the display: neither exposure nor tone mapping changes them. */
function writeUnlitMain({ output }: FullFeatures): string {
  const color = output === 'radiance' ? 'color.rgb' : 'encodeSrgb(color.rgb)';
  return `
void main() {
  vec4 color = baseColor();
  o_color = vec4(${color}, color.a);
}
`;
}

function writeLitMain(features: SurfaceFeatures, full: FullFeatures): string {
  const { layers, output, lightCount, shadows } = full;
  const isOccluded = features.textures.occlusion !== undefined || full.isScreenOccluded;
  const shown = output === 'radiance' ? 'radiance' : 'displayColor(radiance)';
  return `
void main() {
  // 1. Read the textures, before anything is discarded, where derivatives are defined.
${computeNormal(features, layers)}${CURVATURE}${readLayers(features, layers)}${full.isScreenOccluded ? combineOcclusion(features) : ''}
  vec4 color = baseColor();

  // 2. Surface and viewer.
  vec3 toViewer = normalize(u_viewer.xyz - v_worldPosition * u_viewer.w);
  float cosView = cosine(normal, toViewer);
${writeReflectances(layers)}
  // 3. Light of the environment.
${writeEnvironment(layers, isOccluded)}
${lightCount > 0 ? `  // 4. Punctual lights.\n${writeLights(layers, shadows.length > 0)}` : ''}
  // 5. Layers from the inside out.
${layers.has('diffuse-transmission') ? DIFFUSE_TRANSMISSION : ''}${layers.has('transmission') ? writeTransmitted(layers) : ''}  vec3 radiance = diffuse + specular + emission;
${layers.has('sheen') ? '  radiance += sheen;\n' : ''}${layers.has('clearcoat') ? CLEARCOAT : ''}  o_color = vec4(${shown}, color.a);
}
`;
}

/** Curvature within a pixel widens lobes, so that small highlights do not flicker. */
const CURVATURE = `  vec3 bends = max(abs(dFdx(u_worldToView * flatNormal)), abs(dFdy(u_worldToView * flatNormal)));
  float curvature = max(max(bends.x, bends.y), bends.z);
`;

/**
 * Textures and the screen show the same occlusion at different scales, so the darker one counts.
 */
function combineOcclusion({ textures }: SurfaceFeatures): string {
  return textures.occlusion === undefined
    ? '  float occlusion = screenVisibility();\n'
    : '  occlusion = min(occlusion, screenVisibility());\n';
}

function writeReflectances(layers: Layers): string {
  const specular = layers.has('specular');
  const f0 = layers.has('ior') || specular ? 'vec3(dielectricF0(ior))' : 'vec3(0.04)';
  return `  roughness = min(max(roughness, 0.045) + curvature, 1.0);
${
  layers.has('specular-glossiness')
    ? ''
    : `  vec3 baseF0 = ${specular ? `min(${f0} * specularColor, vec3(1.0)) * specularWeight` : f0};
  float baseF90 = ${specular ? 'mix(specularWeight, 1.0, metallic)' : '1.0'};
`
}  vec3 diffuseColor = color.rgb * (1.0 - metallic);
${layers.has('iridescence') ? IRIDESCENT_F0 : '  vec3 metalF0 = color.rgb;\n  vec3 blendedF0 = mix(baseF0, metalF0, metallic);\n'}  vec2 table = reflectanceTable(roughness, cosView);
`;
}

const IRIDESCENT_F0 = `  vec3 metalF0 = color.rgb;
  vec3 filmOverBase = thinFilm(iridescenceIor, cosView, iridescenceThickness, baseF0);
  vec3 filmOverMetal = thinFilm(iridescenceIor, cosView, iridescenceThickness, metalF0);
  float film = iridescenceThickness == 0.0 ? 0.0 : clamp(iridescence, 0.0, 1.0);
  vec3 plainF0 = baseF0;
  vec3 filmFresnel = mix(filmOverBase, filmOverMetal, metallic);
  vec3 blendedF0 = mix(baseF0, metalF0, metallic);
  baseF0 = mix(baseF0, normalReflectance(filmOverBase, cosView), film);
  metalF0 = mix(metalF0, normalReflectance(filmOverMetal, cosView), film);
`;

function writeEnvironment(layers: Layers, isOccluded: boolean): string {
  const bent = layers.has('anisotropy')
    ? `  vec3 across = cross(cross(bitangent, toViewer), bitangent);
  float straight = 1.0 - anisotropy * (1.0 - roughness);
  straight *= straight;
  vec3 lobeNormal = normalize(mix(normalize(across), normal, straight * straight));
`
    : '  vec3 lobeNormal = normal;\n';
  const occlusion = !isOccluded
    ? ''
    : `  diffuse *= occlusion;
  // Occlusion of the lobe (Lagarde and de Rousiers, "Moving Frostbite to PBR", 2014).
  specular *= clamp(pow(cosView + occlusion, exp2(-16.0 * roughness - 1.0)) - 1.0 + occlusion, 0.0, 1.0);
`;
  return `${bent}  vec3 ambient = diffuseRadiance(normal);
  vec3 single;
  vec3 multiple;
  vec3 metalSingle;
  vec3 metalMultiple;
  scatter(table, baseF0, baseF90, single, multiple);
  scatter(table, metalF0, baseF90, metalSingle, metalMultiple);
  vec3 diffuse = ambient * diffuseColor * (1.0 - single - multiple);
  vec3 specular = reflectedRadiance(lobeNormal, toViewer, roughness) * mix(single, metalSingle, metallic)
                + ambient * mix(multiple, metalMultiple, metallic);
${layers.has('sheen') ? sheenOfEnvironment(isOccluded) : ''}${layers.has('clearcoat') ? clearcoatOfEnvironment(isOccluded) : ''}${occlusion}`;
}

function sheenOfEnvironment(isOccluded: boolean): string {
  return `  float sheenAlbedo = sheenReflectance(sheenRoughness, cosView);
  vec3 sheen = ambient * sheenColor * sheenAlbedo${isOccluded ? ' * occlusion' : ''};
  float sheenStrength = max(max(sheenColor.r, sheenColor.g), sheenColor.b);
  float underSheen = 1.0 - sheenStrength * sheenAlbedo;
  diffuse *= underSheen;
  specular *= underSheen;
`;
}

function clearcoatOfEnvironment(isOccluded: boolean): string {
  return `  clearcoatRoughness = min(max(clearcoatRoughness, 0.045) + curvature, 1.0);
  float coatCosView = cosine(coatNormal, toViewer);
  vec2 coatTable = reflectanceTable(clearcoatRoughness, coatCosView);
  vec3 coat = reflectedRadiance(coatNormal, toViewer, clearcoatRoughness)
            * (0.04 * coatTable.x + coatTable.y)${isOccluded ? ' * occlusion' : ''};
`;
}

const CLEARCOAT = `  float coatFresnel = mix(0.04, 1.0, grazingShare(coatCosView));
  radiance = radiance * (1.0 - clearcoat * coatFresnel) + coat * clearcoat;
`;

function writeLights(layers: Layers, isShadowed: boolean): string {
  const lobe = layers.has('anisotropy')
    ? 'anisotropicGgx(alphaT, alpha, tangent, bitangent, halfway, toLight, toViewer, cosHalf, cosLight, cosView)'
    : 'ggx(alpha, cosHalf, cosLight, cosView)';
  const fresnel = layers.has('iridescence')
    ? 'mix(schlick(blendedF0, baseF90, cosHalfView), filmFresnel, film)'
    : 'schlick(blendedF0, baseF90, cosHalfView)';
  const plain = layers.has('iridescence') ? 'plainF0' : 'baseF0';
  return `  float alpha = roughness * roughness;
${layers.has('anisotropy') ? '  float alphaT = mix(alpha, 1.0, anisotropy * anisotropy);\n' : ''}  // Energy of reflections between microfacets (E. Turquin, "Practical Multiple Scattering
  // Compensation for Microfacet Models", 2019).
  vec3 compensation = 1.0 + blendedF0 * (1.0 / (table.x + table.y) - 1.0);
  for (int i = 0; i < LIGHT_COUNT; i++) {
    vec3 toLight;
    vec3 light = lightAt(i, v_worldPosition, toLight);
${isShadowed ? '    light *= shadowOf(i, v_worldPosition, flatNormal, u_lightPlaces[i].xyz - v_worldPosition);\n' : ''}    vec3 halfway = normalize(toLight + toViewer);
    float cosLight = cosine(normal, toLight);
    float cosHalf = cosine(normal, halfway);
    float cosHalfView = cosine(toViewer, halfway);
    vec3 irradiance = light * cosLight;
${layers.has('clearcoat') ? CLEARCOAT_OF_LIGHT : ''}${layers.has('sheen') ? SHEEN_OF_LIGHT : ''}    specular += irradiance * ${fresnel} * ${lobe} * compensation;
    diffuse += irradiance * diffuseColor / PI * (1.0 - schlick(${plain}, baseF90, cosHalfView));
${layers.has('diffuse-transmission') ? DIFFUSE_TRANSMISSION_OF_LIGHT : ''}  }
`;
}

const CLEARCOAT_OF_LIGHT = `    float coatCosLight = cosine(coatNormal, toLight);
    coat += light * coatCosLight * mix(0.04, 1.0, grazingShare(cosHalfView))
          * ggx(clearcoatRoughness * clearcoatRoughness, cosine(coatNormal, halfway), coatCosLight, coatCosView);
`;

const SHEEN_OF_LIGHT = `    sheen += irradiance * sheenColor * sheenLobe(sheenRoughness, cosHalf, cosLight, cosView);
    irradiance *= 1.0 - sheenStrength * max(sheenAlbedo, sheenReflectance(sheenRoughness, cosLight));
`;

const DIFFUSE_TRANSMISSION_OF_LIGHT = `    transmittedDiffuse += light * cosine(-normal, toLight) / PI;
`;

/** Light from behind that a thin surface scatters (KHR_materials_diffuse_transmission). */
const DIFFUSE_TRANSMISSION = `  vec3 through = transmittedDiffuse * diffuseTransmissionColor * (1.0 - metallic);
  diffuse = mix(diffuse, through, diffuseTransmission);
`;

function writeTransmitted(layers: Layers): string {
  const isDispersing = layers.has('dispersion');
  const call = isDispersing ? 'disperse' : 'transmit';
  return `  vec3 behind = ${call}(v_worldPosition, normal, toViewer, roughness, ior, thickness * u_modelScale,
                         diffuseColor, u_attenuationColor, u_attenuationDistance${isDispersing ? ', u_dispersion' : ''});
  diffuse = mix(diffuse, behind * (1.0 - (blendedF0 * table.x + baseF90 * table.y)), transmission);
`;
}
