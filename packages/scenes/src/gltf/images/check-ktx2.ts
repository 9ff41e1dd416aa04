/**
 * Checks a KTX2 file (KTX 2.0, sections 3 and 4) before the transcoder reads it: it has one 2D
 * image of ETC1S or UASTC blocks, as KHR_texture_basisu requires, its ranges are inside the file,
 * and its levels have the sizes that their number of blocks requires.
 */
import { RenderError } from '@tessera/frame';

const HEADER_BYTES = 80;
const LEVEL_ENTRY_BYTES = 24;
const MIN_DESCRIPTOR_BYTES = 28;
const COLOR_MODELS: ReadonlyMap<number, 'etc1s' | 'uastc'> = new Map([
  [163, 'etc1s'],
  [166, 'uastc'],
]);
const NO_SUPERCOMPRESSION = 0;
const BASIS_LZ = 1;
const ZSTANDARD = 2;
/** Size of a UASTC block. */
const UASTC_BLOCK_BYTES = 16;
/** Memory of the transcoder per texel of a level: its blocks, twice, and the decoded texels. */
const DECODE_BYTES_PER_TEXEL = 6;

/** Properties of a file according to its header. */
export interface CheckedKtx2 {
  readonly encoding: 'etc1s' | 'uastc';
  readonly widthPx: number;
  readonly heightPx: number;
  readonly levelCount: number;
  /** Approximate memory that decoding takes. */
  readonly decodeBytes: number;
}

/** Returns whether the bytes begin as a KTX2 file. */
export function isKtx2(bytes: Uint8Array): boolean {
  return IDENTIFIER.every((byte, i) => bytes[i] === byte);
}

const IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Checks the header of a file.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID, or MODEL_UNSUPPORTED for a file that is not one 2D image of
 *   ETC1S or UASTC blocks.
 */
export function checkKtx2(path: string, bytes: Uint8Array): CheckedKtx2 {
  if (bytes.length < HEADER_BYTES) damaged(path, 'the header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number): number => view.getUint32(at, true);
  const [vkFormat, widthPx, heightPx, depth, layers, faces] = [
    word(12),
    word(20),
    word(24),
    word(28),
    word(32),
    word(36),
  ];
  const supercompression = word(44);
  const descriptor = range(path, bytes, 'the data format descriptor', word(48), word(52));
  if (vkFormat !== 0) unsupported(path, `VkFormat ${vkFormat}`);
  if (depth !== 0 || layers !== 0 || faces !== 1) unsupported(path, 'anything but a 2D image');
  if (descriptor.length < MIN_DESCRIPTOR_BYTES) damaged(path, 'the descriptor is cut off');
  const colorModel = descriptor[12];
  const encoding = COLOR_MODELS.get(colorModel);
  if (encoding === undefined) return unsupported(path, `color model ${colorModel}`);
  const allowed = encoding === 'etc1s' ? [BASIS_LZ] : [NO_SUPERCOMPRESSION, ZSTANDARD];
  if (!allowed.includes(supercompression)) {
    unsupported(path, `supercompression ${supercompression} of ${encoding.toUpperCase()}`);
  }
  if (widthPx === 0 || heightPx === 0) damaged(path, `size ${widthPx}×${heightPx}`);
  const levelCount = Math.max(1, word(40));
  if (levelCount > 32 - Math.clz32(Math.max(widthPx, heightPx))) {
    damaged(path, `${levelCount} levels exceed those of ${widthPx}×${heightPx} texels`);
  }
  const longAt = (at: number): number => word(at) + word(at + 4) * 2 ** 32;
  range(path, bytes, 'the supercompression data', longAt(64), longAt(72));
  range(path, bytes, 'the level index', HEADER_BYTES, levelCount * LEVEL_ENTRY_BYTES);
  let texels = 0;
  for (let level = 0; level < levelCount; level++) {
    const at = HEADER_BYTES + level * LEVEL_ENTRY_BYTES;
    const stored = range(path, bytes, `level ${level}`, longAt(at), longAt(at + 8)).length;
    const columns = Math.ceil(Math.max(1, widthPx >> level) / 4);
    const rows = Math.ceil(Math.max(1, heightPx >> level) / 4);
    texels += columns * rows * 16;
    if (encoding === 'etc1s') continue;
    const expected = columns * rows * UASTC_BLOCK_BYTES;
    const size = supercompression === ZSTANDARD ? longAt(at + 16) : stored;
    if (size !== expected) damaged(path, `level ${level} has ${size} bytes, not ${expected}`);
  }
  const decodeBytes = 2 * bytes.length + texels * DECODE_BYTES_PER_TEXEL;
  return { encoding, widthPx, heightPx, levelCount, decodeBytes };
}

function range(
  path: string,
  bytes: Uint8Array,
  what: string,
  offset: number,
  length: number,
): Uint8Array {
  if (offset + length > bytes.length) {
    damaged(path, `${what} passes the end of the file (${bytes.length} bytes)`);
  }
  return bytes.subarray(offset, offset + length);
}

function damaged(path: string, what: string): never {
  throw new RenderError('MODEL_INVALID', `${path}: the KTX2 file is damaged: ${what}`);
}

function unsupported(path: string, what: string): never {
  throw new RenderError(
    'MODEL_UNSUPPORTED',
    `${path}: KTX2 with ${what} is not supported; KHR_texture_basisu has 2D images of ETC1S or UASTC`,
  );
}
