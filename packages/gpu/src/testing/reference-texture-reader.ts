/** Textures for the reference executor of shaders: four lanes at a time on decoded texels. */
import type { TextureDimension } from '@tessera/frame';
import {
  type LookupOperands,
  type SampleOperation,
  splitOperands,
} from '../texture/filter/lookup-operands.ts';
import {
  fetchReference,
  gradientLevelOfDetail,
  implicitReference,
  quadLevelOfDetailOf,
  type SampledTexture,
  sampleReference,
  UNBOUND_TEXEL,
} from '../texture/sample/sample-reference.ts';

const LANES = 4;

/** Slow counterpart of the sample kernels with bit-identical results. */
export class ReferenceTextureReader {
  readonly #slots: readonly (SampledTexture | null)[];

  /** @param slots Texture by texture slot. `null` is a slot without texture. */
  constructor(slots: readonly (SampledTexture | null)[]) {
    this.#slots = slots;
  }

  /**
   * Samples a texture for four lanes.
   *
   * @param operands Operands as in lookup-operands.ts, one vector each. Integers are stored as
   *   bits.
   * @returns Red of the four lanes, then green, blue, alpha. Integer texels are returned as bits.
   */
  sample(
    slot: number,
    operation: SampleOperation,
    dimension: TextureDimension,
    isShadow: boolean,
    operands: readonly Float32Array[],
  ): Float32Array {
    const sampled = this.#slots[slot] ?? null;
    if (sampled !== null && sampled.texture.dimension !== dimension) {
      throw new Error(`texture slot ${slot}: the texture is not ${dimension}`);
    }
    const channels = new Float32Array(4 * LANES);
    const isInteger = sampled?.texture.texelClass === 'int32';
    const words = isInteger ? new Int32Array(channels.buffer) : channels;
    const split = splitOperands(operation, dimension, isShadow, operands);
    for (let lane = 0; lane < LANES; lane++) {
      const texel = sampled === null ? UNBOUND_TEXEL : sampleLane(sampled, operation, split, lane);
      for (let c = 0; c < 4; c++) words[c * LANES + lane] = texel[c]!;
    }
    return channels;
  }

  /**
   * Returns the width of each lane's level, then height, then slices. A missing level counts as the
   * last.
   */
  size(slot: number, level: Int32Array): Int32Array {
    const levels = this.#slots[slot]?.texture.levels ?? [
      { widthPx: 1, heightPx: 1, sliceCount: 1 },
    ];
    const sizes = new Int32Array(3 * LANES);
    for (let lane = 0; lane < LANES; lane++) {
      const { widthPx, heightPx, sliceCount } = levels[level[lane]!] ?? levels.at(-1)!;
      sizes[lane] = widthPx;
      sizes[LANES + lane] = heightPx;
      sizes[2 * LANES + lane] = sliceCount;
    }
    return sizes;
  }
}

/** Operands of four lanes. */
type Operands = LookupOperands<Float32Array>;

function integerOf(operand: Float32Array, lane: number): number {
  return new Int32Array(operand.buffer, operand.byteOffset, LANES)[lane]!;
}

/** Returns the result of one lane. */
export function sampleLane(
  sampled: SampledTexture,
  operation: SampleOperation,
  operands: Operands,
  lane: number,
) {
  const { coordinates, levelOfDetail, reference, offsets } = operands;
  if (operation === 'fetch') {
    const at = coordinates.map((operand) => integerOf(operand, lane));
    return fetchReference(sampled, at, integerOf(levelOfDetail[0]!, lane));
  }
  const lookup = {
    coordinates: coordinates.map((operand) => operand[lane]!),
    reference: reference === null ? null : reference[lane]!,
    offsets: offsets.map((operand) => integerOf(operand, lane)),
  };
  if (operation === 'implicit') return implicitReference(sampled, lookup, coordinates);
  return sampleReference(sampled, lookup, laneLevelOfDetail(sampled, operation, operands, lane));
}

function laneLevelOfDetail(
  { texture }: SampledTexture,
  operation: Exclude<SampleOperation, 'fetch' | 'implicit'>,
  { coordinates, levelOfDetail }: Operands,
  lane: number,
): number {
  switch (operation) {
    case 'bias':
      return Math.fround(quadLevelOfDetailOf(texture, coordinates) + levelOfDetail[0]![lane]!);
    case 'lod':
      return levelOfDetail[0]![lane]!;
    case 'grad': {
      const laneOf = (vectors: readonly Float32Array[]) => vectors.map((vector) => vector[lane]!);
      const count = levelOfDetail.length / 2;
      return gradientLevelOfDetail(
        texture,
        laneOf(coordinates),
        laneOf(levelOfDetail.slice(0, count)),
        laneOf(levelOfDetail.slice(count)),
      );
    }
  }
}
