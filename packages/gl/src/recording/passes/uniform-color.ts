/** Textures of one colour all over: a pass that draws into one clears to it, and no texel is sent. */
import type { PassClear } from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-object.ts';
import type { BufferIdentity } from './pass-attachments.ts';

/** Whether a texture of RGBA8 texels is of one colour all over. */
export function isUniform({ format, levels }: TextureContent): boolean {
  const [level] = levels;
  if (format !== 'rgba8unorm' || levels.length !== 1 || level === undefined) return false;
  return findUniformColor(level) !== null;
}

/** The colour that all texels of an RGBA8 texture have that nothing was drawn into, or `null`. */
export function uniformColorOf(buffer: BufferIdentity): PassClear['color'] | null {
  if (buffer === 'screen' || buffer.format !== 'rgba8unorm') return null;
  const content = buffer.object.contentForDrawing();
  return content?.levels.length === 1 ? findUniformColor(content.levels[0]!) : null;
}

/** The colour that all RGBA texels have, or `null`. */
function findUniformColor(texels: Uint8Array): PassClear['color'] | null {
  const isAligned = texels.byteOffset % 4 === 0;
  const aligned = isAligned ? texels : texels.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  const [first] = words;
  for (let at = 1; at < words.length; at++) if (words[at] !== first) return null;
  const [red, green, blue, alpha] = texels;
  return [red! / 255, green! / 255, blue! / 255, alpha! / 255];
}
