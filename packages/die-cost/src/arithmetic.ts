/**
 * Arithmetic of a chiplet: how many adders and multipliers its units need at their rates, and the
 * area of these at 45 nm. The area that a GPU has around its arithmetic is an assumption of the
 * estimate, so the node cancels out.
 */
import type { TimedUnit } from '@tessera/frame';
import type { CircuitSpec } from './unit-circuits.ts';

/** Areas at 45 nm in µm²: Horowitz, Computing's Energy Problem, ISSCC 2014. */
export const ARITHMETIC_UM2 = {
  fp32Add: 4184,
  fp32Multiply: 7700,
  fp16Add: 1360,
  fp16Multiply: 1640,
  int32Add: 137,
  int32Multiply: 3495,
} as const;

const { fp32Add, fp32Multiply, fp16Add, fp16Multiply, int32Add, int32Multiply } = ARITHMETIC_UM2;
const FP32_FMA = fp32Multiply + fp32Add;
/** Interpolation of two values: a difference, a product and a sum. */
const FP16_LERP = fp16Multiply + 2 * fp16Add;
/** Lanes that share a multiplier of integers: LLVM, SISchedule.td, GFX10SpeedModel. */
const LANES_PER_INTEGER_MULTIPLIER = 4;
const QUAD = 4;
const CHANNELS = 4;
const BLOCK_PX = 16;

/** Arithmetic of each unit in mm² at 45 nm. */
export interface ArithmeticAreas {
  readonly shaderCores: number;
  readonly textureUnits: number;
  readonly interpolator: number;
  readonly rasterizer: number;
  readonly outputMerger: number;
}

/** Returns the arithmetic that a chiplet needs for the rates of its specification. */
export function arithmeticOf(spec: CircuitSpec): ArithmeticAreas {
  const areas = arithmeticByUnit(spec);
  const sum = (...units: readonly TimedUnit[]) =>
    units.reduce((mm2, unit) => mm2 + (areas.get(unit) ?? 0), 0);
  return {
    shaderCores: sum('shaderCore'),
    textureUnits: sum('textureUnit'),
    interpolator: sum('interpolator'),
    rasterizer: sum('triangleSetup', 'tileTraversal', 'earlyDepth'),
    outputMerger: sum('outputMerger'),
  };
}

/** Returns the same by the units of the counters. */
export function arithmeticByUnit(spec: CircuitSpec): ReadonlyMap<TimedUnit, number> {
  const lanes = spec.smCount * spec.warpThreads;
  const samples = spec.smCount * spec.textureQuadsPerCycle * QUAD;
  const um2 = {
    // Transcendental functions take products and sums from a table, as often as they issue.
    shaderCore:
      lanes *
      (FP32_FMA +
        int32Add +
        int32Multiply / LANES_PER_INTEGER_MULTIPLIER +
        FP32_FMA / spec.specialIssueCycles),
    // Three interpolations of a bilinear sample in four channels, and an address in two dimensions.
    textureUnit: samples * (3 * CHANNELS * FP16_LERP + 2 * FP32_FMA),
    // A plane at one pixel of the quad, and its slopes for the other three.
    interpolator: spec.interpolatedComponentsPerCycle * (2 * FP32_FMA + 3 * fp32Add),
    // Three edges and a plane of depth for each primitive.
    triangleSetup: (4 * 2 * FP32_FMA) / spec.setupIntervalCycles,
    // Edges for each pixel of a block.
    tileTraversal: spec.hierarchicalDepthBlocksPerCycle * BLOCK_PX * 3 * int32Add,
    // A plane and a comparison for each depth test.
    earlyDepth: spec.depthQuadsPerCycle * QUAD * (2 * FP32_FMA + int32Add),
    // Two products and a sum of blending.
    outputMerger: spec.outputQuadsPerCycle * QUAD * CHANNELS * (2 * fp16Multiply + fp16Add),
  } satisfies Partial<Record<TimedUnit, number>>;
  const entries = Object.entries(um2) as [TimedUnit, number][];
  return new Map(entries.map(([unit, area]) => [unit, area / 1e6]));
}

/** Returns the sum over all units. */
export function totalArithmetic(areas: ArithmeticAreas): number {
  return Object.values(areas).reduce((sum: number, mm2: number) => sum + mm2, 0);
}
