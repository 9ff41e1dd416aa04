/**
 * Depths of 32-bit floats: textures keep them as they are while they are sampled alone. Passes test depth in 24 bits, so a
 * texture that becomes a target holds these from then on.
 */
import type { TextureFormat } from '@tessera/frame';

const MAX_DEPTH = 0xff_ffff;

/** In which format passes draw into what is stored in `format`. */
export function targetFormatOf(format: TextureFormat): TextureFormat {
  return format === 'depth32float' ? 'depth24unorm-stencil8' : format;
}

/** Texels of {@link targetFormatOf} for those of 32-bit floats, which are 0 to 1; stencil is 0. */
export function makeTargetDepths(texels: Uint8Array): Uint8Array {
  const source = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
  const made = new Uint8Array(texels.length);
  const target = new DataView(made.buffer);
  for (let at = 0; at < texels.length; at += 4) {
    target.setUint32(at, Math.round(source.getFloat32(at, true) * MAX_DEPTH), true);
  }
  return made;
}
