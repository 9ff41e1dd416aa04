/** Finds conflicts between a linked program and the state at a draw, which OpenGL ES rejects. */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { describeAttachment } from '../objects/framebuffers/attached-images.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { LinkedProgram } from '../objects/programs/program-objects.ts';

const KIND_OF_SCALAR = { float: 'float', bool: 'float', int: 'sint', uint: 'uint' } as const;

/** State that a program may conflict with at a draw. */
export interface DrawCircumstances {
  /** Target of the draw. `null` for the screen, whose colors are normalized. */
  readonly framebuffer: FramebufferObject | null;
  /** Whether rasterization is discarded, so that no output is written. */
  readonly isDiscarding: boolean;
  /** Returns whether a color attachment needs an output. */
  readonly needsOutput: (color: number) => boolean;
}

/**
 * Returns a description of the conflict, or `null`. A draw conflicts with the state if
 *
 * - samplers of two types read one texture unit (OpenGL ES 3.0, section 2.12.9),
 * - an output and its color attachment differ in component type (section 3.9.2.3),
 * - a color attachment has no output (WebGL).
 */
export function findDrawConflict(
  program: LinkedProgram,
  { framebuffer, isDiscarding, needsOutput }: DrawCircumstances,
): string | null {
  const unit = program.uniforms.unitOfTwoTypes();
  if (unit !== null) return `samplers of two types read texture unit ${unit}`;
  if (program.reflected.fragmentOutputs === undefined || isDiscarding) return null;
  const { outputs, colorMask } = outputsOf(program, program.reflected.fragmentOutputs);
  for (const { name, scalarType, location, arrayLength } of outputs) {
    for (let color = location; color < location + arrayLength; color++) {
      const kind = colorKindOf(framebuffer, color);
      if (kind !== null && kind !== KIND_OF_SCALAR[scalarType]) {
        return `output ${name} writes ${KIND_OF_SCALAR[scalarType]} to color ${color}, which is of kind ${kind}`;
      }
    }
  }
  const colorCount = framebuffer?.colorPoints.length ?? 1;
  for (let color = 0; color < colorCount; color++) {
    const isMissing = (colorMask & (1 << color)) === 0 && colorKindOf(framebuffer, color) !== null;
    if (isMissing && needsOutput(color)) return `color ${color} has no fragment shader output`;
  }
  return null;
}

type FragmentOutput = Pick<
  NonNullable<LinkedProgram['reflected']['fragmentOutputs']>[number],
  'name' | 'scalarType' | 'location' | 'arrayLength'
>;

interface FragmentOutputs {
  readonly outputs: readonly FragmentOutput[];
  /** Color attachments that the outputs are written to, one bit each. */
  readonly colorMask: number;
}

const knownOutputs = new WeakMap<LinkedProgram, FragmentOutputs>();

/** Returns the outputs of a program, with the colors that they are written to. */
function outputsOf(program: LinkedProgram, outputs: readonly FragmentOutput[]): FragmentOutputs {
  let known = knownOutputs.get(program);
  if (known === undefined) {
    const colorMask = outputs.reduce(
      (mask, { location, arrayLength }) => mask | (((1 << arrayLength) - 1) << location),
      0,
    );
    known = { outputs, colorMask };
    knownOutputs.set(program, known);
  }
  return known;
}

/** Returns the component kind of a color attachment; `null` if an output to it is discarded. */
function colorKindOf(framebuffer: FramebufferObject | null, color: number): string | null {
  if (framebuffer === null) return color === 0 ? 'float' : null;
  const point = framebuffer.colorPoints[color];
  const attachment = point === undefined ? undefined : framebuffer.attachments.get(point);
  const found = attachment === undefined ? null : describeAttachment(attachment);
  return found === null ? null : TEXTURE_FORMATS[found.format].kind;
}
