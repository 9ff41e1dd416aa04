/** A model whose spheres have the layers of the Khronos material extensions, and a panorama. */
import { packGlb } from '@tessera/scenes/model-writer';
import { makeSphere, packArrays } from './model-parts.ts';

/** Material of one sphere: glTF JSON of the material. */
type MaterialJson = Readonly<Record<string, unknown>>;

const layered = (
  base: Readonly<Record<string, unknown>>,
  extensions: Readonly<Record<string, unknown>> = {},
): MaterialJson => ({ pbrMetallicRoughness: base, extensions });

/** Materials of the spheres, row by row. */
export const GRID_MATERIALS: readonly MaterialJson[] = [
  layered({ baseColorFactor: [0.8, 0.1, 0.1, 1], metallicFactor: 0, roughnessFactor: 0.6 }),
  layered({ baseColorFactor: [1, 0.8, 0.3, 1], metallicFactor: 1, roughnessFactor: 0.3 }),
  layered(
    { baseColorFactor: [0.1, 0.2, 0.7, 1], metallicFactor: 0, roughnessFactor: 0.7 },
    { KHR_materials_clearcoat: { clearcoatFactor: 1, clearcoatRoughnessFactor: 0.1 } },
  ),
  layered(
    { baseColorFactor: [0.3, 0.1, 0.3, 1], metallicFactor: 0, roughnessFactor: 0.8 },
    { KHR_materials_sheen: { sheenColorFactor: [0.9, 0.7, 0.9], sheenRoughnessFactor: 0.4 } },
  ),
  layered(
    { baseColorFactor: [0.2, 0.2, 0.2, 1], metallicFactor: 0, roughnessFactor: 0.25 },
    { KHR_materials_specular: { specularFactor: 0.8, specularColorFactor: [1, 0.4, 0.2] } },
  ),
  layered(
    { baseColorFactor: [0.5, 0.5, 0.5, 1], metallicFactor: 1, roughnessFactor: 0.35 },
    { KHR_materials_anisotropy: { anisotropyStrength: 0.8, anisotropyRotation: 0.6 } },
  ),
  layered(
    { baseColorFactor: [0.4, 0.4, 0.4, 1], metallicFactor: 0, roughnessFactor: 0.2 },
    {
      KHR_materials_iridescence: {
        iridescenceFactor: 1,
        iridescenceIor: 1.6,
        iridescenceThicknessMaximum: 420,
      },
      KHR_materials_ior: { ior: 1.8 },
    },
  ),
  layered(
    { baseColorFactor: [1, 1, 1, 1], metallicFactor: 0, roughnessFactor: 0.05 },
    {
      KHR_materials_transmission: { transmissionFactor: 1 },
      KHR_materials_volume: {
        thicknessFactor: 0.6,
        attenuationColor: [0.4, 0.9, 0.5],
        attenuationDistance: 0.5,
      },
      KHR_materials_ior: { ior: 1.4 },
    },
  ),
];

/** Number of spheres in a row of the grid. */
const COLUMNS = 4;
const STACKS = 32;

/**
 * Returns the model: a grid of unit spheres before a wall of stripes, and a light.
 *
 * One function because it is one document.
 */
export function makeMaterialGrid(): Uint8Array {
  const { positions, texCoords, tangents, indices } = makeSphere(STACKS);
  const vertexCount = positions.length / 3;
  const { binary, bufferViews } = packArrays([
    Float32Array.from(positions),
    Float32Array.from(positions),
    Float32Array.from(texCoords),
    Uint32Array.from(indices),
    Float32Array.from(tangents),
    ...makeWall(),
  ]);
  const vec3 = (view: number, count: number, bounds = {}) => ({
    bufferView: view,
    componentType: 5126,
    count,
    type: 'VEC3',
    ...bounds,
  });
  const used = GRID_MATERIALS.flatMap(({ extensions }) => Object.keys(extensions as object));
  const names = [...new Set([...used, 'KHR_lights_punctual'])].sort();
  const wallColors = [
    [0.9, 0.9, 0.9, 1],
    [0.15, 0.25, 0.4, 1],
  ];
  const light = { type: 'point', intensity: 30, color: [1, 0.95, 0.9] };
  return packGlb(
    {
      asset: { version: '2.0' },
      extensionsUsed: names,
      extensions: { KHR_lights_punctual: { lights: [light] } },
      buffers: [{ byteLength: binary.length }],
      bufferViews,
      accessors: [
        vec3(0, vertexCount, { min: [-1, -1, -1], max: [1, 1, 1] }),
        vec3(1, vertexCount),
        { bufferView: 2, componentType: 5126, count: texCoords.length / 2, type: 'VEC2' },
        { bufferView: 3, componentType: 5125, count: indices.length, type: 'SCALAR' },
        { bufferView: 4, componentType: 5126, count: vertexCount, type: 'VEC4' },
        vec3(5, 4, { min: [-0.5, -3, 0], max: [0.5, 3, 0] }),
        vec3(6, 4),
        { bufferView: 7, componentType: 5125, count: 6, type: 'SCALAR' },
      ],
      materials: [
        ...GRID_MATERIALS,
        ...wallColors.map((baseColorFactor) =>
          layered({ baseColorFactor, metallicFactor: 0, roughnessFactor: 1 }),
        ),
      ],
      meshes: [
        ...GRID_MATERIALS.map((_material, material) => ({
          primitives: [
            {
              attributes: { POSITION: 0, NORMAL: 1, TEXCOORD_0: 2, TANGENT: 4 },
              indices: 3,
              material,
            },
          ],
        })),
        ...wallColors.map((_color, i) => ({
          primitives: [
            {
              attributes: { POSITION: 5, NORMAL: 6 },
              indices: 7,
              material: GRID_MATERIALS.length + i,
            },
          ],
        })),
      ],
      nodes: [
        ...GRID_MATERIALS.map((_material, mesh) => ({
          mesh,
          translation: [2.3 * (mesh % COLUMNS) - 3.45, 1.15 - 2.3 * Math.floor(mesh / COLUMNS), 0],
        })),
        ...Array.from({ length: 10 }, (_, i) => ({
          mesh: GRID_MATERIALS.length + (i % 2),
          translation: [i - 4.5, 0, -2],
        })),
        { translation: [2, 3, 4], extensions: { KHR_lights_punctual: { light: 0 } } },
      ],
      scenes: [{ nodes: Array.from({ length: GRID_MATERIALS.length + 11 }, (_, i) => i) }],
      scene: 0,
    },
    binary,
  );
}

/** Returns positions, normals and indices of a stripe of the wall. */
function makeWall(): [Float32Array, Float32Array, Uint32Array] {
  return [
    Float32Array.of(-0.5, -3, 0, 0.5, -3, 0, 0.5, 3, 0, -0.5, 3, 0),
    Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    Uint32Array.of(0, 1, 2, 0, 2, 3),
  ];
}

/** Returns a panorama of 64×32 pixels: sky, ground, two lamps; in Radiance HDR without runs. */
export function makePanorama(): Uint8Array {
  const [widthPx, heightPx] = [64, 32];
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${heightPx} +X ${widthPx}\n`;
  const pixels: number[] = [];
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const isLamp = y >= 6 && y < 10 && x % 32 >= 20 && x % 32 < 26;
      const sky = 0.4 + (0.8 * (heightPx - y)) / heightPx;
      const [r, g, b] = isLamp
        ? [9, 8, 6]
        : y < 17
          ? [0.7 * sky, 0.85 * sky, sky]
          : [0.2, 0.17, 0.15];
      pixels.push(...toRgbe(r!, g!, b!));
    }
  }
  return Uint8Array.from([...new TextEncoder().encode(head), ...pixels]);
}

function toRgbe(...rgb: [number, number, number]): number[] {
  const exponent = Math.floor(Math.log2(Math.max(...rgb))) + 1;
  return [...rgb.map((channel) => Math.floor(channel * 2 ** (8 - exponent))), exponent + 128];
}
