/** Use of samples by fragment programs: a run for each covered sample, reads of the coverage. */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from './instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS } from './instructions.ts';

/** Inputs of a program that depend on samples. */
interface SampleUse {
  readonly isShadedPerSample: boolean;
  readonly readsMask: boolean;
}

const known = new WeakMap<IsaProgram, SampleUse>();

/**
 * Returns whether a fragment program runs for each covered sample of a pixel: it reads the number
 * or the place of the sample, or an input of its own for each (OES_sample_variables,
 * OES_shader_multisample_interpolation).
 */
export function isSampleShaded(program: IsaProgram): boolean {
  return sampleUseOf(program).isShadedPerSample;
}

/** Returns whether a fragment program reads which samples are covered. */
export function readsSampleMask(program: IsaProgram): boolean {
  return sampleUseOf(program).readsMask;
}

function sampleUseOf(program: IsaProgram): SampleUse {
  let use = known.get(program);
  if (use === undefined) {
    use = findSampleUse(program);
    known.set(program, use);
  }
  return use;
}

function findSampleUse({ code, literals }: IsaProgram): SampleUse {
  let isShadedPerSample = false;
  let readsMask = false;
  for (const { mnemonic, immediates } of decodeInstructions(code, literals)) {
    if (mnemonic === 'input') {
      isShadedPerSample ||= INTERPOLATIONS[immediates[1]!] === 'sample';
    } else if (mnemonic === 'builtin') {
      const name = BUILTIN_NAMES[immediates[0]!]!;
      isShadedPerSample ||= name === 'sampleId' || name.startsWith('samplePosition');
      readsMask ||= name === 'sampleMask';
    }
  }
  return { isShadedPerSample, readsMask };
}
