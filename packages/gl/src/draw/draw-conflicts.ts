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
  /** Returns the use of a second source color by the blend factors of a color attachment. */
  readonly secondColorUse: (color: number) => 'none' | 'disabled' | 'enabled';
}

/** Number of color attachments that can be blended with two source colors. */
const MAX_DUAL_SOURCE_COLORS = 1;

/**
 * Returns a description of the conflict, or `null`. A draw conflicts with the state if
 *
 * - samplers of two types read one texture unit (OpenGL ES 3.0, section 2.12.9),
 * - an output and its color attachment differ in component type (section 3.9.2.3),
 * - a color attachment has no output (WebGL),
 * - blend factors use a second color that the program does not have, or there are more color
 *   attachments than can be blended so (WEBGL_blend_func_extended).
 */
export function findDrawConflict(
  program: LinkedProgram,
  { framebuffer, isDiscarding, needsOutput, secondColorUse }: DrawCircumstances,
): string | null {
  const unit = program.uniforms.unitOfTwoTypes();
  if (unit !== null) return `samplers of two types read texture unit ${unit}`;
  if (program.reflected.fragmentOutputs === undefined || isDiscarding) return null;
  const { outputs, colorMask, secondColorMask } = outputsOf(
    program,
    program.reflected.fragmentOutputs,
  );
  for (const { name, scalarType, location, arrayLength } of outputs) {
    for (let color = location; color < location + arrayLength; color++) {
      const kind = colorKindOf(framebuffer, color);
      if (kind !== null && kind !== KIND_OF_SCALAR[scalarType]) {
        return `output ${name} writes ${KIND_OF_SCALAR[scalarType]} to color ${color}, which is of kind ${kind}`;
      }
    }
  }
  const colorCount = framebuffer?.colorPoints.length ?? 1;
  const colors = Array.from({ length: colorCount }, (_, color) => color).filter(
    (color) => colorKindOf(framebuffer, color) !== null,
  );
  for (const color of colors) {
    const isMissing = (mask: number): boolean => (mask & (1 << color)) === 0 && needsOutput(color);
    if (isMissing(colorMask)) return `color ${color} has no fragment shader output`;
    const use = secondColorUse(color);
    if (use === 'none') continue;
    if (colors.at(-1)! >= MAX_DUAL_SOURCE_COLORS) return 'only color 0 can have two sources';
    if (use === 'enabled' && isMissing(secondColorMask)) {
      return `color ${color} has no second fragment shader output`;
    }
  }
  return null;
}

type FragmentOutput = Pick<
  NonNullable<LinkedProgram['reflected']['fragmentOutputs']>[number],
  'name' | 'scalarType' | 'location' | 'arrayLength' | 'index'
>;

interface FragmentOutputs {
  readonly outputs: readonly FragmentOutput[];
  /** Color attachments that the outputs are written to, one bit each. */
  readonly colorMask: number;
  /** Color attachments that the program has a second color for. */
  readonly secondColorMask: number;
}

const knownOutputs = new WeakMap<LinkedProgram, FragmentOutputs>();

/** Returns the outputs of a program, with the colors that they are written to. */
function outputsOf(program: LinkedProgram, outputs: readonly FragmentOutput[]): FragmentOutputs {
  let known = knownOutputs.get(program);
  if (known === undefined) {
    const maskOf = (index: number): number =>
      outputs
        .filter((output) => (output.index ?? 0) === index)
        .reduce(
          (mask, { location, arrayLength }) => mask | (((1 << arrayLength) - 1) << location),
          0,
        );
    known = { outputs, colorMask: maskOf(0), secondColorMask: maskOf(1) };
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
