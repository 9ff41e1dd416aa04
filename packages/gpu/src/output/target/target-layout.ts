/**
 * Colour targets of a pass in the memory of a bin: quad after quad, within a quad sample after sample of its pixels,
 * within a sample target after target. A target of
 * 8-bit channels takes a vector a quad, RGBA8 with red in the low byte of each lane; any other takes four, a channel
 * each, of floats that are already rounded to the format, or of integers.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';

/** How a target's channels are held and computed with. */
export type TargetStorage = 'unorm8' | 'srgb8' | 'float' | 'integer';

export interface ColorTarget {
  readonly format: TextureFormat;
  readonly storage: TargetStorage;
  /** Channels of the format; the others hold 0, 0, 1. */
  readonly channels: number;
  /** From the start of the quad's sample. */
  readonly offsetBytes: number;
}

export interface TargetLayout {
  /** By number of the target; `null` is one that is not there. */
  readonly targets: readonly (ColorTarget | null)[];
  /** Bytes of a quad, of one sample a pixel. */
  readonly quadBytes: number;
  /** Of a pixel: 1, or {@link MULTISAMPLE_COUNT}. */
  readonly sampleCount: number;
}

/** What a pass draws into unless it says otherwise. */
export const PLAIN_FORMATS: readonly TextureFormat[] = ['rgba8unorm'];

const VECTOR_BYTES = 16;

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

/** Bytes of a quad. */
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

/** Whether fragments' colours are confined to 0…1 as they come, NaN to 0. */
export function isColorClamped(target: ColorTarget): boolean {
  return target.storage !== 'integer' && isClamped(target);
}

/** Whether colours are confined to 0…1 before and after blending. */
export function isClamped({ storage, format }: ColorTarget): boolean {
  return storage !== 'float' || format === 'rgb10a2unorm';
}
