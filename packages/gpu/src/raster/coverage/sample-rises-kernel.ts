/** Code for the values of edges at samples; see sample-positions.ts. */
import { SAMPLE_X, SAMPLE_Y } from '@tessera/frame';
import { type Expr, f64x2 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

/**
 * Returns the rise of each sample above the center, for two edges.
 *
 * @param slopeX Slopes per pixel; f64 in two lanes.
 */
export function emitSampleRises(code: KernelCode, slopeX: Expr, slopeY: Expr): Expr[] {
  const scaled = (slope: Expr, sixteenths: number) =>
    f64x2.mul(slope, f64x2.const([sixteenths / 16, sixteenths / 16]));
  return SAMPLE_X.map((x, sample) =>
    code.keep(f64x2.add(scaled(slopeX, x), scaled(slopeY, SAMPLE_Y[sample]!))),
  );
}
