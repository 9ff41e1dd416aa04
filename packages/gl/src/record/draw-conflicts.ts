/** What keeps OpenGL ES from drawing with a program although it is linked. */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { describeAttachment, type FramebufferObject } from '../state/framebuffer-objects.ts';
import type { LinkedProgram } from '../state/program-objects.ts';

const KIND_OF_SCALAR = { float: 'float', bool: 'float', int: 'sint', uint: 'uint' } as const;

/**
 * What is wrong, or `null`: samplers of two types read one texture unit (OpenGL ES 3.0, section 2.12.9), or an output
 * goes to a colour of another kind of numbers (section 3.9.2.3).
 *
 * @param framebuffer `null`: the screen, whose colours are fractions.
 * @param isDiscarding Whether nothing is drawn, so that outputs go nowhere.
 */
export function findDrawConflict(
  { uniforms, reflected }: LinkedProgram,
  framebuffer: FramebufferObject | null,
  isDiscarding: boolean,
): string | null {
  const unit = uniforms.unitOfTwoTypes();
  if (unit !== null) return `samplers of two types read texture unit ${unit}`;
  if (reflected.fragmentOutputs === undefined || isDiscarding) return null;
  // Shaders of GLSL ES 1.00 have the outputs that are built in.
  const outputs =
    reflected.fragmentOutputs.length > 0
      ? reflected.fragmentOutputs
      : [{ name: 'gl_FragColor', scalarType: 'float' as const, location: 0, arrayLength: 1 }];
  for (const { name, scalarType, location, arrayLength } of outputs) {
    for (let color = location; color < location + arrayLength; color++) {
      const kind = colorKindOf(framebuffer, color);
      if (kind !== null && kind !== KIND_OF_SCALAR[scalarType]) {
        return `output ${name} goes to colour ${color}, which is of kind ${kind}`;
      }
    }
  }
  return null;
}

/** The numbers that a colour of a framebuffer takes, `null` where an output goes nowhere. */
function colorKindOf(framebuffer: FramebufferObject | null, color: number): string | null {
  if (framebuffer === null) return color === 0 ? 'float' : null;
  const point = framebuffer.colorPoints[color];
  const attachment = point === undefined ? undefined : framebuffer.attachments.get(point);
  const found = attachment === undefined ? null : describeAttachment(attachment);
  return found === null ? null : TEXTURE_FORMATS[found.format].kind;
}
