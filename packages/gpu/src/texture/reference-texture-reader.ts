/** Textures for the reference executor of shaders: four lanes at a time on decoded texels. */
import { levelOfDetail } from './level-of-detail.ts';
import type { SampleOperation } from './sample-kernel.ts';
import {
  fetchReference,
  quadLevelOfDetailOf,
  type RgbaValue,
  type SampledTexture,
  sampleReference,
  UNBOUND_TEXEL,
} from './sample-reference.ts';

const LANES = 4;

/** The slow counterpart of the sample kernels, equal to them bit by bit. */
export class ReferenceTextureReader {
  readonly #slots: readonly (SampledTexture | null)[];

  /** @param slots By texture slot; `null` is a slot without texture. */
  constructor(slots: readonly (SampledTexture | null)[]) {
    this.#slots = slots;
  }

  /**
   * Samples a 2D texture for four lanes.
   *
   * @param operands One vector each, as `SampleKernels.emitSampleFunction` lists them; those of `fetch`
   *   hold the bits of integers.
   * @returns Red of the four lanes, then green, blue, alpha.
   */
  sample(
    slot: number,
    operation: SampleOperation,
    dimension: string,
    isShadow: boolean,
    operands: readonly Float32Array[],
  ): Float32Array {
    if (dimension !== '2d' || isShadow) {
      throw new Error(`texture slot ${slot}: the reader has no ${dimension} textures`);
    }
    const sampled = this.#slots[slot] ?? null;
    const channels = new Float32Array(4 * LANES);
    for (let lane = 0; lane < LANES; lane++) {
      const texel =
        sampled === null ? UNBOUND_TEXEL : sampleLane(sampled, operation, operands, lane);
      for (let c = 0; c < 4; c++) channels[c * LANES + lane] = texel[c]!;
    }
    return channels;
  }

  /** Width of the level of each lane, then height, then 1; a level that is not there counts as the last. */
  size(slot: number, level: Int32Array): Int32Array {
    const levels = this.#slots[slot]?.texture.levels ?? [{ widthPx: 1, heightPx: 1 }];
    const sizes = new Int32Array(3 * LANES).fill(1);
    for (let lane = 0; lane < LANES; lane++) {
      const { widthPx, heightPx } = levels[level[lane]!] ?? levels.at(-1)!;
      sizes[lane] = widthPx;
      sizes[LANES + lane] = heightPx;
    }
    return sizes;
  }
}

function sampleLane(
  sampled: SampledTexture,
  operation: SampleOperation,
  operands: readonly Float32Array[],
  lane: number,
): RgbaValue {
  const operand = (index: number): number => operands[index]![lane]!;
  if (operation === 'fetch') {
    const [x, y, level] = operands.map(
      (operand) => new Int32Array(operand.buffer, operand.byteOffset, LANES)[lane]!,
    );
    return fetchReference(sampled.texture, x!, y!, level!);
  }
  const [s, t] = [operand(0), operand(1)];
  return sampleReference(sampled, s, t, laneLevelOfDetail(sampled, operation, operands, lane));
}

function laneLevelOfDetail(
  { texture }: SampledTexture,
  operation: Exclude<SampleOperation, 'fetch'>,
  operands: readonly Float32Array[],
  lane: number,
): number {
  const operand = (index: number): number => operands[index]![lane]!;
  switch (operation) {
    case 'implicit':
      return quadLevelOfDetailOf(texture, operands[0]!, operands[1]!);
    case 'bias':
      return Math.fround(quadLevelOfDetailOf(texture, operands[0]!, operands[1]!) + operand(2));
    case 'lod':
      return operand(2);
    case 'grad': {
      const { widthPx, heightPx } = texture.levels[0]!;
      const alongX = { s: operand(2), t: operand(3) };
      const alongY = { s: operand(4), t: operand(5) };
      return levelOfDetail(widthPx, heightPx, alongX, alongY);
    }
  }
}
