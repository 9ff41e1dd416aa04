/**
 * Layout of a pass's color targets in the memory of a bin, ordered by quad, then by sample, then by
 * target. A target of 8-bit channels uses one vector per quad, RGBA8 with red in the low byte of
 * each lane. Any other target uses four vectors, one per channel, of integers or of floats rounded
 * to the format.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';

/** Representation of a target's channels in memory and in arithmetic. */
export type TargetStorage = 'unorm8' | 'srgb8' | 'float' | 'integer';

/** Color target of a pass in the memory of a bin. */
export interface ColorTarget {
  readonly format: TextureFormat;
  readonly storage: TargetStorage;
  /** Number of channels of the format. The others hold 0, 0, 1. */
  readonly channels: number;
  /** Offset from the start of the quad's sample. */
  readonly offsetBytes: number;
}

/** Color targets of a pass in the memory of a bin. */
export interface TargetLayout {
  /** Targets by index; `null` for a missing one. */
  readonly targets: readonly (ColorTarget | null)[];
  /** Size of a quad with one sample per pixel. */
  readonly quadBytes: number;
  /** Samples per pixel. */
  readonly sampleCount: number;
}

/** Default target formats of a pass. */
export const PLAIN_FORMATS: readonly TextureFormat[] = ['rgba8unorm'];

const VECTOR_BYTES = 16;

/** Returns the layout of targets with the given formats. */
export function layOutTargets(
  formats: readonly (TextureFormat | null)[],
  sampleCount = 1,
): TargetLayout {
  let quadBytes = 0;
  const targets = formats.map((format): ColorTarget | null => {
    if (format === null) return null;
    const storage = storageOf(format);
    const offsetBytes = quadBytes;
    quadBytes += storageBytes(storage);
    return { format, storage, channels: TEXTURE_FORMATS[format].channels, offsetBytes };
  });
  return { targets, quadBytes, sampleCount };
}

/**
 * Returns the number of lines of a block of 4×4 pixels in simulated memory, for each sample: one
 * for every 32 bits of a pixel in each target. Without targets it is 1.
 */
export function colorLinesOf({ targets }: TargetLayout): number {
  let lines = 0;
  for (const target of targets) {
    if (target !== null) lines += Math.ceil(TEXTURE_FORMATS[target.format].bytesPerTexel / 4);
  }
  return Math.max(1, lines);
}

/** Returns the size of a quad. */
export function storageBytes(storage: TargetStorage): number {
  return storage === 'unorm8' || storage === 'srgb8' ? VECTOR_BYTES : 4 * VECTOR_BYTES;
}

function storageOf(format: TextureFormat): TargetStorage {
  switch (format) {
    case 'r8unorm':
    case 'rg8unorm':
    case 'rgba8unorm':
      return 'unorm8';
    case 'rgba8unorm-srgb':
      return 'srgb8';
    default:
      return TEXTURE_FORMATS[format].kind === 'float' ? 'float' : 'integer';
  }
}

/**
 * Range that colors are clamped to before and after blending: 0…1, −1…1, or none. Clamping turns
 * NaN into 0.
 */
export type ColorRange = 'unit' | 'signed' | 'any';

/** Returns the range of a target's colors. */
export function colorRangeOf({ storage, format }: ColorTarget): ColorRange {
  if (storage === 'integer') return 'any';
  if (storage !== 'float' || format === 'rgb10a2unorm') return 'unit';
  return format.endsWith('snorm') ? 'signed' : 'any';
}

/** Returns whether all targets clamp their colors. */
export function areColorsClamped({ targets }: TargetLayout): boolean {
  return targets.every((target) => target === null || colorRangeOf(target) !== 'any');
}

/** Returns the number clamped to a range. */
export function clampNumber(value: number, range: ColorRange): number {
  if (range === 'any') return value;
  if (Number.isNaN(value)) return 0;
  return Math.min(Math.max(value, range === 'unit' ? 0 : -1), 1);
}
