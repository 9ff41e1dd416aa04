/**
 * Images that the program `ffmpeg` decodes if it is installed: AVIF and WebP.
 * The package has no decoder of its own (docs/decisions/video-decoder.md).
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hasVideoTool, startVideoTool } from '../video/video-tool.ts';

/** First image as PNG, with the colors of the whole range of 8 bits. */
const TO_PNG = [
  ...['-frames:v', '1', '-vf', 'scale=sws_flags=accurate_rnd+full_chroma_int+bilinear'],
  ...['-pix_fmt', 'rgba', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'],
];

/** Types of auxiliary images that are alpha (MIAF, section 7.3.5.2). */
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];

/** Returns the name of an image format that needs the program, or null. */
export function toolFormatOf(bytes: Uint8Array): 'AVIF' | 'WebP' | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (/^....ftypavi[fs]/s.test(start)) return 'AVIF';
  return /^RIFF....WEBP/s.test(start) ? 'WebP' : null;
}

/**
 * Converts an AVIF or WebP file to PNG.
 *
 * @returns The image, and its alpha as another image if the file has it apart; otherwise null.
 * @throws {Error} If the program is not installed, or the file is damaged.
 */
export async function convertToPng(
  format: string,
  bytes: Uint8Array,
): Promise<readonly [image: Uint8Array, alpha: Uint8Array | null]> {
  if (!hasVideoTool()) throw new Error(`images in ${format} need the program ffmpeg`);
  const ofAlpha = selectAlpha(bytes);
  return [await convert(format, bytes), ofAlpha && (await convert(format, ofAlpha))];
}

async function convert(format: string, bytes: Uint8Array): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-image-'));
  try {
    const path = join(folder, 'image');
    await writeFile(path, bytes);
    const tool = startVideoTool('ffmpeg', [], path, TO_PNG);
    const [png, { status, messages }] = await Promise.all([buffer(tool.output), tool.ended]);
    if (status === 0 && png.length > 0) return png;
    throw new Error(messages || `no image in the ${format} file`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Returns an AVIF file whose primary item (HEIF, section 6.6.3) is the alpha of the image, because
 * the program decodes only the primary item; null without such alpha.
 */
function selectAlpha(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes);
  // An item reference has the identity of the auxiliary item first.
  const reference = file.indexOf('auxl');
  const primary = file.indexOf('pitm');
  const isAlpha = ALPHA_TYPES.some((type) => file.includes(type));
  if (reference < 0 || primary < 0 || !isAlpha) return null;
  const isShort = file[primary + 4] === 0;
  if (!isShort) throw new Error('the AVIF file has items with identities of 32 bits');
  file.copy(file, primary + 8, reference + 4, reference + 6);
  return file;
}
