/**
 * Code of the output merger for the samples of a fragment: those that the rasterizer covered,
 * reduced by the mask that the shader wrote and by the multisample state (GL ES 3.0, section
 * 4.1.3).
 */
import { QUAD_RECORD, SAMPLE_MASK_SHIFT } from '@tessera/shader/codegen';
import { type Expr, f32x4, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import type { MergeKey } from './merge-key.ts';

/** Number of samples that a mask of a quad record has the lanes of. */
export const GROUP_SAMPLES = 4;

/**
 * Returns the lanes of the samples that are merged, four bits per sample, in groups of four
 * samples.
 *
 * @param quad Address of the quad record.
 * @param mask Word `mask` of the record.
 * @param output Returns a fragment output by its index.
 */
export function emitCoveredSamples(
  code: KernelCode,
  key: MergeKey,
  quad: Expr,
  mask: Expr,
  output: (index: number) => Expr,
): Expr[] {
  const { multisample, targets, sampleMaskOutput } = key;
  const covered = [
    i32.shrU(mask, i32.const(SAMPLE_MASK_SHIFT)),
    i32.load16U(quad, { offset: QUAD_RECORD.moreSamples }),
  ].slice(0, targets.sampleCount / GROUP_SAMPLES);
  const written = sampleMaskOutput === null ? null : code.keep(output(sampleMaskOutput));
  const alphaOutput = coverageAlphaOf(key);
  const alpha = alphaOutput === null ? null : code.keep(output(alphaOutput));
  return covered.map((lanes, group) => {
    const samples = Array.from({ length: GROUP_SAMPLES }, (_, k) => GROUP_SAMPLES * group + k);
    const lanesWhere = (isKept: (sample: number) => Expr) =>
      samples
        .map((sample, place) => i32.shl(i32x4.bitmask(isKept(sample)), i32.const(4 * place)))
        .reduce(i32.or);
    const limits: Expr[] = [];
    if (written !== null) {
      const bitOf = (sample: number) => v128.and(written, code.splatI(1 << sample));
      limits.push(lanesWhere((sample) => i32x4.ne(bitOf(sample), code.splatI(0))));
    }
    if (multisample !== null) limits.push(i32.const(lanesOfMask(multisample.sampleMask, samples)));
    if (alpha !== null) {
      // A sample is kept if alpha exceeds the middle of its part.
      const border = (sample: number) => code.splatF((sample + 0.5) / targets.sampleCount);
      limits.push(lanesWhere((sample) => f32x4.gt(alpha, border(sample))));
    }
    return code.keep(limits.reduce(i32.and, lanes));
  });
}

/** Returns all lanes of the samples in a mask of samples. */
function lanesOfMask(sampleMask: number, samples: readonly number[]): number {
  return samples.reduce(
    (lanes, sample, place) => ((sampleMask >> sample) & 1 ? lanes | (15 << (4 * place)) : lanes),
    0,
  );
}

/** Returns the output of the alpha that determines coverage; null for none. */
function coverageAlphaOf({ multisample, colors, targets }: MergeKey): number | null {
  const isInteger = targets.targets[0]?.storage === 'integer';
  if (!multisample?.isAlphaToCoverage || isInteger) return null;
  return colors[0]?.outputs[3] ?? null;
}
