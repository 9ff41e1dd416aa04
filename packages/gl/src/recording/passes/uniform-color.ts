/**
 * Detects textures of a single color. A pass that draws into such a texture starts with a clear, so
 * the frame needs no texels.
 */
import type { PassClear } from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-content.ts';
import type { BufferIdentity } from './pass-attachments.ts';

/** Returns whether a texture is a single RGBA8 level whose texels all have the same color. */
export function isUniform({ format, levels }: TextureContent): boolean {
  const [level] = levels;
  if (format !== 'rgba8unorm' || levels.length !== 1 || level === undefined) return false;
  return findUniformColor(level) !== null;
}

/** Returns the color of a buffer whose RGBA8 texels are all equal, else `null`. */
export function uniformColorOf(buffer: BufferIdentity): PassClear['color'] | null {
  if (buffer === 'screen' || buffer.format !== 'rgba8unorm') return null;
  const content = buffer.object.contentForDrawing();
  return content?.levels.length === 1 ? findUniformColor(content.levels[0]!) : null;
}

/** Returns whether all bytes are 0. */
export function isZero(bytes: Uint8Array): boolean {
  const words = wordsOf(bytes);
  return areEqual(words) && (words[0] ?? 0) === 0 && bytes.subarray(words.length * 4).every(isNull);
}

/** Returns the color of all RGBA texels, or `null` if they differ. */
function findUniformColor(texels: Uint8Array): PassClear['color'] | null {
  if (!areEqual(wordsOf(texels))) return null;
  const [red, green, blue, alpha] = texels;
  return [red! / 255, green! / 255, blue! / 255, alpha! / 255];
}

/** Returns the whole words of bytes, which are read faster than bytes. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}

function areEqual(words: Uint32Array): boolean {
  const [first] = words;
  for (let at = 1; at < words.length; at++) if (words[at] !== first) return false;
  return true;
}

const isNull = (byte: number): boolean => byte === 0;
