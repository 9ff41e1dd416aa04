/**
 * Decoders of JPEG, WebP and AVIF: MozJPEG, libwebp and libavif as WebAssembly, from the packages
 * of Squoosh. The
 * memory of a decoder is limited, because the size of a bitstream may differ from that of its
 * header.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { RenderError } from '@tessera/frame';
import { limitWasmMemory } from '../compression/limit-wasm-memory.ts';

/** Decodes an image to RGBA. `name` is that of the format, for messages. */
export type ImageDecode = (path: string, bytes: Uint8Array) => Uint8Array;

/** Loads the decoder of JPEG, which enlarges colors as browsers do. */
export async function loadJpeg(maxDecodeBytes: number): Promise<ImageDecode> {
  const { default: createModule } = await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js');
  const path = '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
  const { decode } = await createModule(await moduleOptions(path, maxDecodeBytes));
  return guarded('JPEG', (bytes) => decode(bytes, false));
}

/** Loads the decoder of WebP. */
export async function loadWebp(maxDecodeBytes: number): Promise<ImageDecode> {
  const { default: createModule } = await import('@jsquash/webp/codec/dec/webp_dec.js');
  const path = '@jsquash/webp/codec/dec/webp_dec.wasm';
  const { decode } = await createModule(await moduleOptions(path, maxDecodeBytes));
  return guarded('WebP', decode);
}

/** Loads the decoder of AVIF. */
export async function loadAvif(maxDecodeBytes: number): Promise<ImageDecode> {
  const { default: createModule } = await import('@jsquash/avif/codec/dec/avif_dec.js');
  const path = '@jsquash/avif/codec/dec/avif_dec.wasm';
  const { decode } = await createModule(await moduleOptions(path, maxDecodeBytes));
  return guarded('AVIF', (bytes) => decode(bytes, 8));
}

async function moduleOptions(wasmPath: string, maxDecodeBytes: number) {
  const path = createRequire(import.meta.url).resolve(wasmPath);
  const wasmBinary = limitWasmMemory(await readFile(path), maxDecodeBytes).buffer;
  return { noInitialRun: true, wasmBinary, printErr: () => {} };
}

function guarded(
  name: string,
  decode: (bytes: Uint8Array<ArrayBuffer>) => { readonly data: Uint8ClampedArray } | null,
): ImageDecode {
  return (path, bytes) => {
    let decoded: ReturnType<typeof decode> = null;
    let cause: unknown;
    try {
      decoded = decode(Uint8Array.from(bytes));
    } catch (error) {
      cause = error;
    }
    if (decoded === null) {
      throw new RenderError('MODEL_INVALID', `${path}: the ${name} is damaged`, { cause });
    }
    const { buffer, byteOffset, byteLength } = decoded.data;
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}
