/** Decoders of images that are loaded only for models that have such images. */
import { isKtx2 } from './check-ktx2.ts';
import type { Ktx2Transcoder } from './transcode-ktx2.ts';

/** Decoders of image formats that glTF extensions add. */
export interface ImageCodecs {
  readonly ktx2?: Ktx2Transcoder;
}

/** Loads the decoders that the images of a model need. */
export async function loadImageCodecs(files: readonly Uint8Array[]): Promise<ImageCodecs> {
  if (!files.some(isKtx2)) return {};
  const { Ktx2Transcoder: Transcoder } = await import('./transcode-ktx2.ts');
  return { ktx2: await Transcoder.load() };
}
