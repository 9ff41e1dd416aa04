/** Decoders of images that are loaded only for models that have such images. */
import { isAvif } from './check-avif.ts';
import { isJpeg } from './check-jpeg.ts';
import { isKtx2 } from './check-ktx2.ts';
import { isWebp } from './check-webp.ts';
import type { ImageDecode } from './squoosh-decoders.ts';
import type { Ktx2Transcoder } from './transcode-ktx2.ts';

/** Decoders of images that are loaded for a model. */
export interface ImageCodecs {
  readonly ktx2?: Ktx2Transcoder;
  readonly jpeg?: ImageDecode;
  readonly webp?: ImageDecode;
  readonly avif?: ImageDecode;
}

/**
 * Loads the decoders that the images of a model need.
 *
 * @param maxDecodeBytes Upper bound on the memory of each decoder of JPEG, WebP and AVIF.
 */
export async function loadImageCodecs(
  files: readonly Uint8Array[],
  maxDecodeBytes: number,
): Promise<ImageCodecs> {
  return {
    ...(files.some(isKtx2) ? { ktx2: await loadKtx2() } : {}),
    ...(files.some(isJpeg)
      ? { jpeg: await (await import('./squoosh-decoders.ts')).loadJpeg(maxDecodeBytes) }
      : {}),
    ...(files.some(isWebp)
      ? { webp: await (await import('./squoosh-decoders.ts')).loadWebp(maxDecodeBytes) }
      : {}),
    ...(files.some(isAvif)
      ? { avif: await (await import('./squoosh-decoders.ts')).loadAvif(maxDecodeBytes) }
      : {}),
  };
}

async function loadKtx2(): Promise<Ktx2Transcoder> {
  return (await import('./transcode-ktx2.ts')).Ktx2Transcoder.load();
}
