/** What keeps OpenGL ES from drawing with a program although it is linked. */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { describeAttachment } from '../objects/framebuffers/attached-images.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { LinkedProgram } from '../objects/programs/program-objects.ts';

const KIND_OF_SCALAR = { float: 'float', bool: 'float', int: 'sint', uint: 'uint' } as const;

/** Fragment shaders of GLSL ES 3.00 have no outputs but those that they name. */
const NAMES_OUTPUTS = /^[ \t]*#[ \t]*version[ \t]+300\b/m;

export interface DrawCircumstances {
  /** `null`: the screen, whose colours are fractions. */
  readonly framebuffer: FramebufferObject | null;
  /** Whether nothing is drawn, so that outputs go nowhere. */
  readonly isDiscarding: boolean;
  /** Whether each colour must have an output that goes to it. */
  readonly areOutputsRequired: boolean;
}

/**
 * What is wrong, or `null`: samplers of two types read one texture unit (OpenGL ES 3.0, section 2.12.9), an output
 * goes to a colour of another kind of numbers (section 3.9.2.3), or none to a colour (WebGL 2.0).
 */
export function findDrawConflict(
  program: LinkedProgram,
  { framebuffer, isDiscarding, areOutputsRequired }: DrawCircumstances,
): string | null {
  const unit = program.uniforms.unitOfTwoTypes();
  if (unit !== null) return `samplers of two types read texture unit ${unit}`;
  if (program.reflected.fragmentOutputs === undefined || isDiscarding) return null;
  const { outputs, colorMask } = outputsOf(program, program.reflected.fragmentOutputs);
  for (const { name, scalarType, location, arrayLength } of outputs) {
    for (let color = location; color < location + arrayLength; color++) {
      const kind = colorKindOf(framebuffer, color);
      if (kind !== null && kind !== KIND_OF_SCALAR[scalarType]) {
        return `output ${name} goes to colour ${color}, which is of kind ${kind}`;
      }
    }
  }
  const colorCount = areOutputsRequired ? (framebuffer?.colorPoints.length ?? 1) : 0;
  for (let color = 0; color < colorCount; color++) {
    const isMissing = (colorMask & (1 << color)) === 0 && colorKindOf(framebuffer, color) !== null;
    if (isMissing) return `no output goes to colour ${color}`;
  }
  return null;
}

type FragmentOutput = Pick<
  NonNullable<LinkedProgram['reflected']['fragmentOutputs']>[number],
  'name' | 'scalarType' | 'location' | 'arrayLength'
>;

interface FragmentOutputs {
  readonly outputs: readonly FragmentOutput[];
  /** Colours that they go to, by bit. */
  readonly colorMask: number;
}

const BUILT_IN: readonly FragmentOutput[] = [
  { name: 'gl_FragColor', scalarType: 'float', location: 0, arrayLength: 1 },
];

const knownOutputs = new WeakMap<LinkedProgram, FragmentOutputs>();

/** The outputs that a program has: shaders of GLSL ES 1.00 those that are built in. */
function outputsOf(program: LinkedProgram, named: readonly FragmentOutput[]): FragmentOutputs {
  let known = knownOutputs.get(program);
  if (known === undefined) {
    const outputs = NAMES_OUTPUTS.test(program.source.fragmentSource) ? named : BUILT_IN;
    const colorMask = outputs.reduce(
      (mask, { location, arrayLength }) => mask | (((1 << arrayLength) - 1) << location),
      0,
    );
    known = { outputs, colorMask };
    knownOutputs.set(program, known);
  }
  return known;
}

/** The numbers that a colour of a framebuffer takes, `null` where an output goes nowhere. */
function colorKindOf(framebuffer: FramebufferObject | null, color: number): string | null {
  if (framebuffer === null) return color === 0 ? 'float' : null;
  const point = framebuffer.colorPoints[color];
  const attachment = point === undefined ? undefined : framebuffer.attachments.get(point);
  const found = attachment === undefined ? null : describeAttachment(attachment);
  return found === null ? null : TEXTURE_FORMATS[found.format].kind;
}
