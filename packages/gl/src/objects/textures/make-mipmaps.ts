/**
 * Generates mipmaps by a box filter (OpenGL ES 3.0, section 3.8.10.5), for textures whose base
 * changes while their mipmaps are still sampled. Chiplets generate all other mipmaps
 * (gpu/src/texture/layout/mipmap.ts) and keep more bits of intermediate sRGB texels.
 */
import { TEXTURE_FORMATS, type TextureDimension } from '@tessera/frame';
import { makeChannels, texelReader, writeTexel } from '../../texels/texel-channels.ts';
import type { TextureLevel } from './texture-levels.ts';

/** Generated mipmap level. */
export interface MadeLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of layers or slices. 1 for a face of a cube. */
  readonly depthPx: number;
  /** Texels of one slice after another, with all faces of a cube. */
  readonly texels: Uint8Array;
}

/** Texels of a level, with four numbers per texel. */
interface Plane {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount: number;
  readonly values: Float64Array;
}

/**
 * Returns all levels above the base.
 *
 * @param whole Texels of the base level, with all faces of a cube.
 */
export function makeMipmaps(
  { widthPx, heightPx, depthPx, format }: TextureLevel,
  whole: Uint8Array,
  dimension: TextureDimension,
): MadeLevel[] {
  const sliceCount = dimension === 'cube' ? 6 : depthPx;
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const isSrgb = format.endsWith('srgb');
  const values = new Float64Array(widthPx * heightPx * sliceCount * 4);
  const read = texelReader(format);
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const channels = makeChannels();
  for (let i = 0; i < values.length; i += 4) {
    read(view, (i / 4) * bytesPerTexel, channels);
    for (let c = 0; c < 4; c++) {
      values[i + c] = isSrgb && c < 3 ? toLinear(channels[c]!) : channels[c]!;
    }
  }
  const levels: MadeLevel[] = [];
  let plane: Plane = { widthPx, heightPx, sliceCount, values };
  const isDeep = dimension === '3d';
  while (plane.widthPx > 1 || plane.heightPx > 1 || (isDeep && plane.sliceCount > 1)) {
    plane = halve(plane, isDeep);
    const texels = new Uint8Array((plane.values.length / 4) * bytesPerTexel);
    const target = new DataView(texels.buffer);
    for (let i = 0; i < plane.values.length; i += 4) {
      for (let c = 0; c < 4; c++) {
        const value = plane.values[i + c]!;
        channels[c] = isSrgb && c < 3 ? toSrgb(value) : value;
      }
      writeTexel(format, channels, target, (i / 4) * bytesPerTexel);
    }
    const size = { widthPx: plane.widthPx, heightPx: plane.heightPx };
    levels.push({ ...size, depthPx: dimension === 'cube' ? 1 : plane.sliceCount, texels });
  }
  return levels;
}

/**
 * Returns the next level. It has half the size, rounded down, and each texel is the mean of the
 * texels that it covers.
 */
function halve(plane: Plane, isDeep: boolean): Plane {
  const widthPx = Math.max(1, plane.widthPx >> 1);
  const heightPx = Math.max(1, plane.heightPx >> 1);
  const sliceCount = isDeep ? Math.max(1, plane.sliceCount >> 1) : plane.sliceCount;
  const values = new Float64Array(widthPx * heightPx * sliceCount * 4);
  let to = 0;
  for (let slice = 0; slice < sliceCount; slice++) {
    const slices = isDeep ? tapsAt(slice, plane.sliceCount) : [[slice, 1] as const];
    for (let y = 0; y < heightPx; y++) {
      const rows = tapsAt(y, plane.heightPx);
      for (let x = 0; x < widthPx; x++, to += 4) {
        for (const [fromSlice, sliceWeight] of slices) {
          for (const [row, rowWeight] of rows) {
            for (const [column, columnWeight] of tapsAt(x, plane.widthPx)) {
              const from = ((fromSlice * plane.heightPx + row) * plane.widthPx + column) * 4;
              const weight = sliceWeight * rowWeight * columnWeight;
              for (let c = 0; c < 4; c++) values[to + c]! += weight * plane.values[from + c]!;
            }
          }
        }
      }
    }
  }
  return { widthPx, heightPx, sliceCount, values };
}

/**
 * Returns the positions and weights of the texels that texel `index` of the next level covers. The
 * weights add up to 1.
 *
 * @param size Number of texels of the current level along the axis.
 */
function tapsAt(index: number, size: number): readonly (readonly [number, number])[] {
  if (size === 1) return [[0, 1]];
  const half = size >> 1;
  const first = 2 * index;
  if (size === 2 * half) {
    return [
      [first, 0.5],
      [first + 1, 0.5],
    ];
  }
  return [
    [first, (half - index) / size],
    [first + 1, half / size],
    [first + 2, (index + 1) / size],
  ];
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function toSrgb(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}
