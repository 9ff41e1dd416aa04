import { encodeToKTX2, NodeBasisEncoder } from 'ktx2-encoder';
import { describe, expect, it, vi } from 'vitest';
import { packGlb } from '../../model-writer/pack-glb.ts';
import { DEFAULT_GLTF_LIMITS } from '../format/gltf-limits.ts';
import { importGltf } from '../import-gltf.ts';
import { ImageDecoder } from './decode-image.ts';
import { loadImageCodecs } from './image-codecs.ts';

const [WIDTH, HEIGHT] = [20, 12];
const RGBA32 = 13;
const EAC_TOLERANCE = 2;

/** Returns a smooth image; its alpha is 255 unless it has alpha. */
function sourceImage(hasAlpha: boolean): Uint8Array {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    rgba.set([x * 12, y * 20, 255 - x * 6, hasAlpha ? 40 + x * 10 : 255], 4 * i);
  }
  return rgba;
}

interface Encoding {
  readonly isUASTC: boolean;
  readonly needSupercompression?: boolean;
  readonly hasAlpha?: boolean;
  readonly isSrgb?: boolean;
}

/** Encoded files, by their encoding: the encoder is slow. */
const FILES = new Map<string, Promise<Uint8Array>>();

/** Returns a file that the caller may change. */
async function encode(encoding: Encoding): Promise<Uint8Array> {
  const key = JSON.stringify(encoding);
  const file = FILES.get(key) ?? encodeFile(encoding);
  FILES.set(key, file);
  return (await file).slice();
}

function encodeFile({
  hasAlpha = false,
  isSrgb = false,
  ...options
}: Encoding): Promise<Uint8Array> {
  return encodeToKTX2(sourceImage(hasAlpha), {
    needSupercompression: false,
    ...options,
    isKTX2File: true,
    generateMipmap: true,
    qualityLevel: 255,
    isPerceptual: isSrgb,
    isSetKTX2SRGBTransferFunc: isSrgb,
    imageDecoder: async (data) => ({ width: WIDTH, height: HEIGHT, data }),
  });
}

/** Returns the texels that the transcoder itself decodes, level by level. */
async function referenceLevels(file: Uint8Array): Promise<Uint8Array[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the package declares the encoder only
  const module: any = await new NodeBasisEncoder().init();
  const ktx2 = new module.KTX2File(file);
  ktx2.startTranscoding();
  return Array.from({ length: ktx2.getLevels() }, (_, level) => {
    const texels = new Uint8Array(ktx2.getImageTranscodedSizeInBytes(level, 0, 0, RGBA32));
    ktx2.transcodeImage(texels, level, 0, 0, RGBA32, 0, -1, -1);
    return texels;
  });
}

/** Returns a model of one triangle whose base color is the image. */
function texturedModel(file: Uint8Array): Uint8Array {
  const positions = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
  const texCoords = new Uint8Array(Float32Array.of(0, 0, 1, 0, 0, 1).buffer);
  const binary = Buffer.concat([positions, texCoords, file]);
  return packGlb(
    {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      textures: [{ source: 1, extensions: { KHR_texture_basisu: { source: 0 } } }],
      images: [{ bufferView: 2, mimeType: 'image/ktx2' }, { uri: 'data:image/png;base64,AAAA' }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: 36 },
        { buffer: 0, byteOffset: 36, byteLength: 24 },
        { buffer: 0, byteOffset: 60, byteLength: file.length },
      ],
      buffers: [{ byteLength: 60 + file.length }],
    },
    new Uint8Array(binary),
  );
}

const decodeTexture = async (file: Uint8Array, isSrgb = false, limits = {}) =>
  new ImageDecoder(
    { ...DEFAULT_GLTF_LIMITS, ...limits },
    await loadImageCodecs([file], DEFAULT_GLTF_LIMITS.maxDecodeBytes),
  ).decodeTexture('images[0]', file, isSrgb);

// The encoder writes its progress.
vi.spyOn(console, 'log').mockImplementation(() => {});

describe('Ktx2Transcoder', () => {
  it.each([
    { name: 'UASTC', encoding: { isUASTC: true }, blockBytes: 16, tolerance: 6 },
    {
      name: 'UASTC with Zstandard',
      encoding: { isUASTC: true, needSupercompression: true },
      blockBytes: 16,
      tolerance: 6,
    },
    {
      name: 'UASTC with alpha',
      encoding: { isUASTC: true, hasAlpha: true },
      blockBytes: 16,
      tolerance: 12,
    },
    { name: 'ETC1S', encoding: { isUASTC: false }, blockBytes: 8, tolerance: 60 },
    {
      name: 'ETC1S with alpha',
      encoding: { isUASTC: false, hasAlpha: true },
      blockBytes: 16,
      tolerance: 60,
    },
  ])('decodes all levels of $name as the transcoder does', async (scheme) => {
    const { encoding, blockBytes, tolerance } = scheme;
    const file = await encode(encoding);
    const texture = await decodeTexture(file);
    expect(texture).toMatchObject({ widthPx: WIDTH, heightPx: HEIGHT, blockBytes });
    const reference = await referenceLevels(file);
    expect(texture.levels).toHaveLength(5);
    expect(reference).toHaveLength(5);
    // Alpha of ETC1S becomes EAC, whose steps are not those of ETC1S.
    const alphaTolerance = blockBytes === 16 && !encoding.isUASTC ? EAC_TOLERANCE : 0;
    reference.forEach((texels, level) => {
      const decoded = texture.levels[level];
      expect(decoded).toHaveLength(texels.length);
      texels.forEach((value, i) => {
        const difference = Math.abs(decoded[i] - value);
        expect(difference).toBeLessThanOrEqual(i % 4 === 3 ? alphaTolerance : 0);
      });
    });
    const source = sourceImage(encoding.hasAlpha ?? false);
    source.forEach((value, i) => {
      expect(Math.abs(value - texture.levels[0][i])).toBeLessThanOrEqual(tolerance);
    });
  });

  it('keeps the levels and the blocks of the file in the frame', async () => {
    const file = await encode({ isUASTC: false, isSrgb: true });
    const size = { widthPx: 32, heightPx: 32 };
    const { frame } = await importGltf({ kind: 'glb', bytes: texturedModel(file) }, size);
    expect(frame.textures[0]).toMatchObject({
      format: 'rgba8unorm-srgb',
      widthPx: WIDTH,
      heightPx: HEIGHT,
      blockBytes: 8,
      isMipmapGenerated: false,
    });
    expect(frame.textures[0].levels.map(({ length }) => length)).toEqual(
      [20 * 12, 10 * 6, 5 * 3, 2, 1].map((texels) => 4 * texels),
    );
  });

  const at = (offset: number, ...values: number[]) => ({ offset, values });
  it.each([
    { name: 'a VkFormat', change: at(12, 157), code: 'MODEL_UNSUPPORTED', message: 'VkFormat 157' },
    { name: 'a depth', change: at(28, 2), code: 'MODEL_UNSUPPORTED', message: 'but a 2D image' },
    { name: 'faces', change: at(36, 6), code: 'MODEL_UNSUPPORTED', message: 'but a 2D image' },
    {
      name: 'no size',
      change: at(20, 0),
      code: 'MODEL_INVALID',
      message: 'damaged: size 0×12',
    },
    {
      name: 'too many levels',
      change: at(40, 9),
      code: 'MODEL_INVALID',
      message: '9 levels exceed those of 20×12 texels',
    },
    {
      name: 'another size',
      change: at(20, 64),
      code: 'MODEL_INVALID',
      message: 'level 0 has 240 bytes, not 768',
    },
    {
      name: 'a level outside of the file',
      change: at(80, 0, 0, 1),
      code: 'MODEL_INVALID',
      message: 'level 0 passes the end of the file',
    },
    {
      name: 'an unknown supercompression',
      change: at(44, 3),
      code: 'MODEL_UNSUPPORTED',
      message: 'supercompression 3 of UASTC',
    },
  ])('rejects a file with $name', async ({ change, code, message }) => {
    const file = await encode({ isUASTC: true });
    file.set(change.values, change.offset);
    await expect(decodeTexture(file)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('rejects a bomb from its header', async () => {
    const file = await encode({ isUASTC: true, needSupercompression: true });
    const view = new DataView(file.buffer, file.byteOffset);
    view.setUint32(20, 8192, true);
    view.setUint32(24, 8192, true);
    view.setUint32(40, 1, true);
    view.setUint32(80 + 16, 8192 * 8192, true);
    const limits = { maxTextureTexels: 1 << 24 };
    await expect(decodeTexture(file, false, limits)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('(maxTextureTexels)'),
    });
    await expect(decodeTexture(file, false, { maxDecodeBytes: 1000 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('(maxDecodeBytes)'),
    });
    await expect(decodeTexture(file)).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });

  it.each([true, false])(
    'throws nothing but RenderError whatever bytes are changed, UASTC: %s',
    async (isUASTC) => {
      const original = await encode({ isUASTC, needSupercompression: isUASTC });
      const codecs = await loadImageCodecs([original], DEFAULT_GLTF_LIMITS.maxDecodeBytes);
      let state = 3;
      const next = (limit: number): number => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return Math.floor((state / 2 ** 32) * limit);
      };
      let rejected = 0;
      for (let round = 0; round < 300; round++) {
        const file = original.slice();
        for (let change = 0; change <= round % 3; change++) {
          file[12 + next(file.length - 12)] = next(256);
        }
        try {
          new ImageDecoder(DEFAULT_GLTF_LIMITS, codecs).decodeTexture('images[0]', file, false);
        } catch (error) {
          expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
          rejected++;
        }
      }
      expect(rejected).toBeGreaterThan(50);
      // The transcoder still works.
      const decoder = new ImageDecoder(DEFAULT_GLTF_LIMITS, codecs);
      const [texels] = decoder.decodeTexture('images[0]', original, false).levels;
      expect(Buffer.from(texels).equals((await referenceLevels(original))[0])).toBe(true);
    },
  );
});
