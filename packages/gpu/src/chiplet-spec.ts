/** Hardware parameters of a simulated chiplet. */

/** Hardware parameters of one simulated chiplet; fixed once the chiplet is built. */
export interface ChipletSpec {
  /** Name under which reports show the specification, at least one character. */
  readonly name: string;
  /** Edge of a square fine bin, in pixels: a power of two from 8 to 64. */
  readonly fineBinPx: number;
  /** Primitives after which a primitive batch is closed, 1 to 1024. */
  readonly batchPrimitives: number;
  /** Draws whose state one primitive batch can hold, 1 to 64. */
  readonly batchStates: number;
  /** Quads that are shaded in one go at most, 2048 (a fine bin's and more) to 16384. */
  readonly quadListQuads: number;
  /** Instructions that the loops of one shader invocation may take, 2^10 to 2^30; beyond, the frame fails. */
  readonly invocationInstructionBudget: number;
  /** Pixels of the largest coarse bin, 4096 to 2^26. */
  readonly maxBinPixels: number;
  /** Bytes of local memory set aside for textures, 2^20 to 2^30. */
  readonly texturePoolBytes: number;
}

/**
 * The chiplet every study starts from.
 *
 * `fineBinPx` follows the two-level binning patent (64×64, ¶41), which leaves batch sizes open (¶31):
 * 1024 primitives keep a batch's records in a second-level cache. The other figures are ours; they
 * bound memory and change no pixel.
 */
export const DEFAULT_CHIPLET_SPEC: ChipletSpec = Object.freeze({
  name: 'default',
  fineBinPx: 64,
  batchPrimitives: 1024,
  batchStates: 8,
  quadListQuads: 4096,
  invocationInstructionBudget: 2 ** 20,
  maxBinPixels: 4096 * 4096,
  texturePoolBytes: 512 * 1024 * 1024,
});

/**
 * Returns {@link DEFAULT_CHIPLET_SPEC} with `overrides` applied.
 *
 * @throws {RangeError} If a value is outside the range its field documents. The message names the
 *   field, the value and the range.
 *
 * @example
 * const small = defineChipletSpec({ name: 'small', batchPrimitives: 16 });
 */
export function defineChipletSpec(overrides: Partial<ChipletSpec> = {}): ChipletSpec {
  const spec = { ...DEFAULT_CHIPLET_SPEC, ...overrides };
  if (spec.name.length === 0) throw new RangeError('name: must not be empty');
  checkInteger('fineBinPx', spec.fineBinPx, 8, 64);
  if ((spec.fineBinPx & (spec.fineBinPx - 1)) !== 0) {
    throw new RangeError(`fineBinPx: ${spec.fineBinPx} is not a power of two from 8 to 64`);
  }
  checkInteger('batchPrimitives', spec.batchPrimitives, 1, 1024);
  checkInteger('batchStates', spec.batchStates, 1, 64);
  checkInteger('quadListQuads', spec.quadListQuads, 2048, 16_384);
  checkInteger('invocationInstructionBudget', spec.invocationInstructionBudget, 2 ** 10, 2 ** 30);
  checkInteger('maxBinPixels', spec.maxBinPixels, 4096, 2 ** 26);
  checkInteger('texturePoolBytes', spec.texturePoolBytes, 2 ** 20, 2 ** 30);
  return Object.freeze(spec);
}

function checkInteger(field: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${field}: ${value} is not an integer from ${min} to ${max}`);
  }
}
