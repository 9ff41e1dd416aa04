/**
 * Conversion of 32-bit float depths. A texture keeps them while it is only sampled. Passes test
 * depth with 24 bits, so a texture that becomes a target stores 24 bits from then on.
 */
import type { TextureFormat } from '@tessera/frame';

const MAX_DEPTH = 0xff_ffff;

/** Returns the format in which passes draw to an image stored in `format`. */
export function targetFormatOf(format: TextureFormat): TextureFormat {
  return format === 'depth32float' ? 'depth24unorm-stencil8' : format;
}

/** Converts 32-bit float depths of 0 to 1 to texels of {@link targetFormatOf}, with stencil 0. */
export function makeTargetDepths(texels: Uint8Array): Uint8Array {
  const source = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
  const made = new Uint8Array(texels.length);
  const target = new DataView(made.buffer);
  for (let at = 0; at < texels.length; at += 4) {
    target.setUint32(at, Math.round(source.getFloat32(at, true) * MAX_DEPTH), true);
  }
  return made;
}
