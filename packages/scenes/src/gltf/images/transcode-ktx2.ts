/**
 * Transcodes KTX2 files of Basis Universal to the formats that three.js's KTX2Loader chooses in
 * Chromium with SwiftShader: ASTC 4×4 for UASTC, ETC2 for ETC1S. Blocks are decoded to texels with
 * the decoders of OpenGL's compressed formats. Texels keep the size of their blocks, so addresses
 * and traffic are those of the compressed format.
 */
import { RenderError } from '@tessera/frame';
import { compressedBytes, compressedFormatOf, decompress } from '@tessera/gl/compressed-formats';
import { NodeBasisEncoder } from 'ktx2-encoder';
import { type CheckedKtx2, checkKtx2 } from './check-ktx2.ts';

/** Levels of a compressed texture, decoded. */
export interface DecodedLevels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** RGBA texels of level 0, 1, …, as many as the file has. */
  readonly levels: readonly Uint8Array[];
  /** Size of a compressed block of 4×4 texels. */
  readonly blockBytes: 8 | 16;
}

/** Target of the transcoder, and the internal formats of OpenGL for linear and sRGB colors. */
interface Target {
  readonly transcoderFormat: number;
  readonly internalFormat: number;
  readonly srgbInternalFormat: number;
}

const ASTC: Target = { transcoderFormat: 10, internalFormat: 0x93b0, srgbInternalFormat: 0x93d0 };
const ETC2: Target = { transcoderFormat: 0, internalFormat: 0x9274, srgbInternalFormat: 0x9275 };
const ETC2_EAC: Target = {
  transcoderFormat: 1,
  internalFormat: 0x9278,
  srgbInternalFormat: 0x9279,
};

/** File that the transcoder opened. Its methods return 0 for failure. */
interface OpenFile {
  isValid(): boolean;
  getHasAlpha(): number;
  startTranscoding(): number;
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  transcodeImage(
    output: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    alphaOfOpaque: number,
    channel0: number,
    channel1: number,
  ): number;
  close(): void;
  delete(): void;
}

interface BasisModule {
  readonly KTX2File: new (bytes: Uint8Array) => OpenFile;
}

/** Transcoder of one model: what one model leaves in its memory, no other model reads. */
export class Ktx2Transcoder {
  readonly #module: BasisModule;

  private constructor(module: BasisModule) {
    this.#module = module;
  }

  /** Loads the transcoder. */
  static async load(): Promise<Ktx2Transcoder> {
    // The module has the transcoder too; the declarations of the package have the encoder only.
    const module: unknown = await new NodeBasisEncoder().init();
    return new Ktx2Transcoder(module as BasisModule);
  }

  /**
   * Decodes the levels of a file.
   *
   * @param path Path of the image in the JSON, for messages.
   * @param isSrgb Whether the colors are sRGB-encoded.
   * @throws {RenderError} MODEL_INVALID or MODEL_UNSUPPORTED.
   */
  transcode(path: string, bytes: Uint8Array, isSrgb: boolean): DecodedLevels {
    const checked = checkKtx2(path, bytes);
    try {
      return this.#transcodeChecked(bytes, checked, isSrgb);
    } catch (cause) {
      const reason = cause instanceof TranscodeError ? cause.message : 'the transcoder stopped';
      const message = `${path}: the KTX2 file is damaged: ${reason}`;
      throw new RenderError('MODEL_INVALID', message, { cause });
    }
  }

  #transcodeChecked(bytes: Uint8Array, checked: CheckedKtx2, isSrgb: boolean): DecodedLevels {
    const file = new this.#module.KTX2File(bytes);
    if (!file.isValid() || !file.startTranscoding()) throw new TranscodeError('it has no content');
    const { encoding, widthPx, heightPx, levelCount } = checked;
    const target = encoding === 'uastc' ? ASTC : file.getHasAlpha() ? ETC2_EAC : ETC2;
    const { transcoderFormat } = target;
    const format = compressedFormatOf(isSrgb ? target.srgbInternalFormat : target.internalFormat);
    if (format === null) throw new Error(`format ${target.internalFormat} is not in the table`);
    const levels = Array.from({ length: levelCount }, (_, level) => {
      const levelWidthPx = Math.max(1, widthPx >> level);
      const levelHeightPx = Math.max(1, heightPx >> level);
      const blocks = new Uint8Array(compressedBytes(format, levelWidthPx, levelHeightPx));
      const size = file.getImageTranscodedSizeInBytes(level, 0, 0, transcoderFormat);
      const isRead =
        size === blocks.length &&
        file.transcodeImage(blocks, level, 0, 0, transcoderFormat, 0, -1, -1) !== 0;
      if (!isRead) throw new TranscodeError(`level ${level} cannot be transcoded`);
      return decompress(format, 4, levelWidthPx, levelHeightPx, blocks);
    });
    file.close();
    file.delete();
    return { widthPx, heightPx, levels, blockBytes: format.blocks.blockBytes };
  }
}

/** Part of a file that the transcoder rejects. */
class TranscodeError extends Error {
  override readonly name = 'TranscodeError';
}
