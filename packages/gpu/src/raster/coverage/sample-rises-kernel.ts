/** Code for the values of edges at samples; see sample-positions.ts. */
import { samplePatternOf } from '@tessera/frame';
import { type Expr, f64x2 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

/**
 * Returns the rise of each sample above the center, for two edges.
 *
 * @param slopeX Slopes per pixel; f64 in two lanes.
 */
export function emitSampleRises(
  code: KernelCode,
  sampleCount: number,
  slopeX: Expr,
  slopeY: Expr,
): Expr[] {
  const { x, y } = samplePatternOf(sampleCount);
  const scaled = (slope: Expr, sixteenths: number) =>
    f64x2.mul(slope, f64x2.const([sixteenths / 16, sixteenths / 16]));
  return x.map((right, sample) =>
    code.keep(f64x2.add(scaled(slopeX, right), scaled(slopeY, y[sample]!))),
  );
}
