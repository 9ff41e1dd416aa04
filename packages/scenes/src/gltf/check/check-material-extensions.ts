/** Checks the material extensions in the JSON, with the ranges of their Khronos specifications. */
import { MAX_ANGLE } from '../../math/deterministic-math.ts';
import { extensionOf } from './check-extensions.ts';
import type { JsonPlace } from './json-place.ts';

/** Members of one extension. */
interface ExtensionRules {
  /** Least and greatest value of each number. */
  readonly numbers?: Readonly<Record<string, readonly [min: number, max: number]>>;
  /** Length of each array of numbers, each at least 0. */
  readonly colors?: Readonly<Record<string, number>>;
  /** Names of the textures. */
  readonly textures?: readonly string[];
}

const SHARE = [0, 1] as const;
const POSITIVE = [0, Number.POSITIVE_INFINITY] as const;

const RULES: Readonly<Record<string, ExtensionRules>> = {
  KHR_materials_anisotropy: {
    numbers: { anisotropyStrength: SHARE, anisotropyRotation: [-MAX_ANGLE, MAX_ANGLE] },
    textures: ['anisotropyTexture'],
  },
  KHR_materials_clearcoat: {
    numbers: { clearcoatFactor: SHARE, clearcoatRoughnessFactor: SHARE },
    textures: ['clearcoatTexture', 'clearcoatRoughnessTexture', 'clearcoatNormalTexture'],
  },
  KHR_materials_diffuse_transmission: {
    numbers: { diffuseTransmissionFactor: SHARE },
    colors: { diffuseTransmissionColorFactor: 3 },
    textures: ['diffuseTransmissionTexture', 'diffuseTransmissionColorTexture'],
  },
  KHR_materials_dispersion: { numbers: { dispersion: POSITIVE } },
  KHR_materials_emissive_strength: { numbers: { emissiveStrength: POSITIVE } },
  KHR_materials_ior: { numbers: { ior: POSITIVE } },
  KHR_materials_iridescence: {
    numbers: {
      iridescenceFactor: SHARE,
      iridescenceIor: [1, Number.POSITIVE_INFINITY],
      iridescenceThicknessMinimum: POSITIVE,
      iridescenceThicknessMaximum: POSITIVE,
    },
    textures: ['iridescenceTexture', 'iridescenceThicknessTexture'],
  },
  KHR_materials_pbrSpecularGlossiness: {
    numbers: { glossinessFactor: SHARE },
    colors: { diffuseFactor: 4, specularFactor: 3 },
    textures: ['diffuseTexture', 'specularGlossinessTexture'],
  },
  KHR_materials_sheen: {
    numbers: { sheenRoughnessFactor: SHARE },
    colors: { sheenColorFactor: 3 },
    textures: ['sheenColorTexture', 'sheenRoughnessTexture'],
  },
  KHR_materials_specular: {
    numbers: { specularFactor: SHARE },
    colors: { specularColorFactor: 3 },
    textures: ['specularTexture', 'specularColorTexture'],
  },
  KHR_materials_transmission: {
    numbers: { transmissionFactor: SHARE },
    textures: ['transmissionTexture'],
  },
  KHR_materials_unlit: {},
  KHR_materials_volume: {
    numbers: { thicknessFactor: POSITIVE, attenuationDistance: POSITIVE },
    colors: { attenuationColor: 3 },
    textures: ['thicknessTexture'],
  },
};

/**
 * Checks the extensions of a material.
 *
 * @param checkTexture Checks the use of a texture.
 * @throws {RenderError} MODEL_INVALID, naming the member.
 */
export function checkMaterialExtensions(
  material: JsonPlace,
  checkTexture: (use: JsonPlace) => void,
): void {
  for (const [name, { numbers = {}, colors = {}, textures = [] }] of Object.entries(RULES)) {
    const extension = extensionOf(material, name);
    if (extension === null) continue;
    extension.object();
    for (const [key, [min, max]] of Object.entries(numbers)) {
      extension.optional(key)?.number(min, max);
    }
    for (const [key, length] of Object.entries(colors)) {
      const member = extension.optional(key);
      member?.numbers(length);
      for (const channel of member?.array() ?? []) channel.number(0);
    }
    for (const key of textures) {
      const use = extension.optional(key);
      if (use === null) continue;
      checkTexture(use);
      use.optional('scale')?.number();
    }
  }
}
