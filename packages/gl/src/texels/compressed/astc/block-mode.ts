/**
 * Block modes of ASTC: grid and range of the weights (Khronos Data Format Specification, chapter
 * "ASTC Compressed Texture Image Formats", sections "Block Mode" and "Illegal Encodings").
 */
import { type IntegerRange, sequenceBits, WEIGHT_RANGES } from './integer-sequences.ts';

/** Weights of a block. */
export interface BlockMode {
  readonly gridWidth: number;
  readonly gridHeight: number;
  /** Number of weights per position of the grid, 2 if one channel has weights of its own. */
  readonly planeCount: 1 | 2;
  readonly range: IntegerRange;
  /** Number of weights of all planes, at most 64. */
  readonly weightCount: number;
  /** Size of all weights in bits, 24 to 96. */
  readonly weightBits: number;
}

/** Number of bits of a mode. */
export const MODE_BITS = 11;

/** Returns the mode of each field of 11 bits. Illegal modes and void extents are `null`. */
export function listBlockModes(widthPx: number, heightPx: number): readonly (BlockMode | null)[] {
  return Array.from({ length: 1 << MODE_BITS }, (_, field) => {
    const mode = readBlockMode(field);
    if (mode === null || mode.gridWidth > widthPx || mode.gridHeight > heightPx) return null;
    const { weightCount, weightBits } = mode;
    return weightCount <= 64 && weightBits >= 24 && weightBits <= 96 ? mode : null;
  });
}

function readBlockMode(field: number): BlockMode | null {
  const grid = readGrid(field);
  if (grid === null) return null;
  const [gridWidth, gridHeight, hasOptions] = grid;
  const rangeIndex = ((field & 3) === 0 ? (field >> 2) & 3 : field & 3) * 2 + ((field >> 4) & 1);
  const isHigh = hasOptions && (field & 0x200) !== 0;
  const range = WEIGHT_RANGES[rangeIndex - 2 + (isHigh ? 6 : 0)]!;
  const planeCount = hasOptions && (field & 0x400) !== 0 ? 2 : 1;
  const weightCount = gridWidth * gridHeight * planeCount;
  const weightBits = sequenceBits(range, weightCount);
  return { gridWidth, gridHeight, planeCount, range, weightCount, weightBits };
}

/**
 * Returns width and height of the grid, and whether bits 9 and 10 select precision and planes.
 * Returns `null` for reserved modes and void extents.
 */
function readGrid(field: number): readonly [number, number, boolean] | null {
  const [a, b] = [(field >> 5) & 3, (field >> 7) & 3];
  if ((field & 3) !== 0) {
    const layout = (field >> 2) & 3;
    if (layout === 0) return [b + 4, a + 2, true];
    if (layout === 1) return [b + 8, a + 2, true];
    if (layout === 2) return [a + 2, b + 8, true];
    return b < 2 ? [a + 2, b + 6, true] : [b, a + 2, true];
  }
  if (((field >> 2) & 3) === 0) return null;
  if (b === 0) return [12, a + 2, true];
  if (b === 1) return [a + 2, 12, true];
  if (b === 2) return [a + 6, ((field >> 9) & 3) + 6, false];
  if (a === 0) return [6, 10, true];
  return a === 1 ? [10, 6, true] : null;
}
