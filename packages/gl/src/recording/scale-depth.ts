/**
 * Scaled and mirrored blits of depth and stencil. Passes copy depth and stencil only unscaled, so
 * the texels are computed here, from contents that are already rendered.
 */
import type { RectPx } from '@tessera/frame';
import { asTarget } from '../objects/textures/texture-levels.ts';
import { TextureObject } from '../objects/textures/texture-object.ts';
import type { Blit } from './generated/blit.ts';
import type { DrawnImage } from './passes/pass-attachments.ts';

/** Bits of depth and of stencil in a texel of `depth24unorm-stencil8`. */
const DEPTH_BITS = 0x00ff_ffff;
const STENCIL_BITS = 0xff00_0000;

/** Image of depth and stencil with its size. */
export interface DepthImage {
  readonly image: DrawnImage;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Writes the nearest texel of the source to each pixel of the destination.
 *
 * @param scissor Scissor rectangle with rows from the top, or `null` if the test is disabled.
 */
export function scaleDepth(
  { from, to, depth, stencil }: Pick<Blit, 'from' | 'to' | 'depth' | 'stencil'>,
  source: DepthImage,
  into: DepthImage,
  scissor: RectPx | null,
): void {
  const bits = ((depth ? DEPTH_BITS : 0) | (stencil ? STENCIL_BITS : 0)) >>> 0;
  const cut = scissor ?? { x: 0, y: 0, width: into.widthPx, height: into.heightPx };
  const lowest = into.heightPx - cut.y - cut.height;
  const columns = mapPixels([from[0], from[2]], [to[0], to[2]], source.widthPx, into.widthPx);
  const rows = mapPixels([from[1], from[3]], [to[1], to[3]], source.heightPx, into.heightPx);
  const read = readTexels(source);
  const written = readTexels(into);
  for (const [y, sourceY] of rows) {
    if (y < lowest || y >= lowest + cut.height) continue;
    for (const [x, sourceX] of columns) {
      if (x < cut.x || x >= cut.x + cut.width) continue;
      const at = y * into.widthPx + x;
      const texel = read[sourceY * source.widthPx + sourceX]!;
      written[at] = (written[at]! & ~bits) | (texel & bits);
    }
  }
  writeTexels(into, written);
}

/**
 * Returns pairs of a pixel of the destination and the nearest one of the source, along one axis.
 * Pixels outside either image are left out.
 */
function mapPixels(
  [from0, from1]: readonly [number, number],
  [to0, to1]: readonly [number, number],
  sourceEdgePx: number,
  intoEdgePx: number,
): [into: number, source: number][] {
  const pairs: [number, number][] = [];
  const end = Math.min(Math.max(to0, to1), intoEdgePx);
  for (let into = Math.max(0, Math.min(to0, to1)); into < end; into++) {
    const source = Math.floor(from0 + ((into + 0.5 - to0) / (to1 - to0)) * (from1 - from0));
    if (source >= 0 && source < sourceEdgePx) pairs.push([into, source]);
  }
  return pairs;
}

/** Returns a copy of the texels of an image; zeros for a renderbuffer without contents. */
function readTexels({ image, widthPx, heightPx }: DepthImage): Uint32Array {
  const { object, level, slice } = image;
  const count = widthPx * heightPx;
  let bytes: Uint8Array | null;
  if (object instanceof TextureObject) {
    const isCube = object.dimension === 'cube';
    const { texels } = asTarget(object.level(level, isCube ? slice : 0)!);
    bytes = isCube ? texels : texels.subarray(slice * count * 4, (slice + 1) * count * 4);
  } else {
    bytes = object.texels;
  }
  return bytes === null ? new Uint32Array(count) : new Uint32Array(bytes.slice().buffer);
}

function writeTexels({ image }: DepthImage, written: Uint32Array): void {
  const { object, level, slice } = image;
  const bytes = new Uint8Array(written.buffer);
  if (!(object instanceof TextureObject)) {
    object.replace(bytes);
    return;
  }
  const isCube = object.dimension === 'cube';
  const face = isCube ? slice : 0;
  const stored = asTarget(object.level(level, face)!);
  const texels = stored.texels.slice();
  texels.set(bytes, isCube ? 0 : slice * bytes.length);
  object.setLevel(level, { ...stored, texels }, face);
}
