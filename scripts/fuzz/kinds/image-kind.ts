/**
 * Images: PNG, JPEG, KTX2, WebP and AVIF of models, Radiance HDR and OpenEXR of environments. The
 * corpus has files of the formats that are slow to encode.
 */
import { DEFAULT_GLTF_LIMITS } from '@tessera/scenes';
import { ImageDecoder } from '@tessera/scenes/images';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { isAvif } from '../../../packages/scenes/src/gltf/images/check-avif.ts';
import { isJpeg } from '../../../packages/scenes/src/gltf/images/check-jpeg.ts';
import { checkKtx2, isKtx2 } from '../../../packages/scenes/src/gltf/images/check-ktx2.ts';
import { isWebp } from '../../../packages/scenes/src/gltf/images/check-webp.ts';
import {
  type ImageCodecs,
  loadImageCodecs,
} from '../../../packages/scenes/src/gltf/images/image-codecs.ts';
import { isExr } from '../../../packages/scenes/src/lighting/exr-header.ts';
import { readRadianceExr } from '../../../packages/scenes/src/lighting/read-radiance-exr.ts';
import { readRadianceHdr } from '../../../packages/scenes/src/lighting/read-radiance-hdr.ts';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { isPng, mutatePng } from '../mutate/mutate-png.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { makeExr, makeHdr } from './radiance-seeds.ts';
import { refusalCode } from './refusals.ts';

const EDGE_PX = 16;
/** Limits of small images, so that an input takes milliseconds. */
const LIMITS = {
  ...DEFAULT_GLTF_LIMITS,
  maxTextureEdgePx: 256,
  maxTextureTexels: 65_536,
  maxDecodeBytes: 2 ** 25,
};
/** Number of inputs that use the same decoders. The service loads them for each model. */
const MAX_USES = 256;
const RADIANCE_LIMITS = { maxPixels: 65_536 };
const HDR_SIGNATURE = '#?';

/** Makes the kind with its undamaged images. */
export async function imageKind(): Promise<FuzzKind> {
  return {
    seeds: [...makePngs(), ...makeJpegs(), makeHdr(), ...makeExr()],
    mutate: (input, other, random) =>
      isPng(input) && random.integer(0, 7) > 0
        ? mutatePng(input, other, random)
        : mutateBytes(input, other, random),
    follow: async (input) => {
      try {
        return await decode(input);
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

async function decode(input: Uint8Array): Promise<string> {
  if (isExr(input)) {
    readRadianceExr(input, RADIANCE_LIMITS);
    return 'exr';
  }
  if (Buffer.from(input.subarray(0, 2)).toString('latin1') === HDR_SIGNATURE) {
    readRadianceHdr(input, RADIANCE_LIMITS);
    return 'hdr';
  }
  // The decoder checks the header as well, but loading a transcoder takes 300 ms.
  if (isKtx2(input)) checkKtx2('images[0]', input);
  const codecs = await codecsOf(input);
  new ImageDecoder(LIMITS, codecs).decodeTexture('images[0]', input, true);
  return 'decoded';
}

const kept = new Map<number, { readonly codecs: ImageCodecs; uses: number }>();

/** Returns the decoders of an input, which the last inputs of the same format may have used. */
async function codecsOf(input: Uint8Array): Promise<ImageCodecs> {
  const format = [isKtx2, isJpeg, isWebp, isAvif].findIndex((isFormat) => isFormat(input));
  let found = kept.get(format);
  if (found === undefined || found.uses === MAX_USES) {
    found = { codecs: await loadImageCodecs([input], LIMITS.maxDecodeBytes), uses: 0 };
    kept.set(format, found);
  }
  found.uses++;
  return found.codecs;
}

function texels(): Uint8Array {
  return Uint8Array.from({ length: EDGE_PX * EDGE_PX * 4 }, (_, i) => (i * 37) % 251);
}

function makePngs(): Uint8Array[] {
  const size = { width: EDGE_PX, height: EDGE_PX };
  return ([0, 2, 4, 6] as const).flatMap((colorType) =>
    ([8, 16] as const).map((bitDepth) => {
      const png = Object.assign(new PNG(size), { data: Buffer.from(texels()) });
      return Uint8Array.from(PNG.sync.write(png, { colorType, bitDepth: bitDepth as 8 }));
    }),
  );
}

function makeJpegs(): Uint8Array[] {
  const image = { width: EDGE_PX, height: EDGE_PX, data: texels() };
  return [30, 90].map((quality) => Uint8Array.from(jpeg.encode(image, quality).data));
}
