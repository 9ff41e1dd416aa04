/**
 * Replays vertices that are packed in one word (OpenGL 3.3, sections 2.7 and 2.8.2;
 * ARB_vertex_type_2_10_10_10_rev).
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { booleanOf, numberOf, numbersOf, refuseCall } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

/** Returns the first components of a word, from the lowest bit. */
function unpack(call: CapturedCall, count: number, isNormalized: boolean): number[] {
  const type = numberOf(call, 'type');
  const isSigned = type === GL.INT_2_10_10_10_REV;
  if (!isSigned && type !== GL.UNSIGNED_INT_2_10_10_10_REV) refuseCall(call, nameOfEnum(type));
  const last = Object.keys(call.args).at(-1)!;
  const word = numbersOf(call, last)[0]! | 0;
  return Array.from({ length: count }, (_, i) => {
    const width = i === 3 ? 2 : 10;
    const left = word << (32 - width - i * 10);
    if (!isSigned) {
      const value = left >>> (32 - width);
      return isNormalized ? value / (2 ** width - 1) : value;
    }
    const value = left >> (32 - width);
    // Before OpenGL 4.2, signed fractions have no exact 0 (OpenGL 3.3, equation 2.2).
    return isNormalized ? (2 * value + 1) / (2 ** width - 1) : value;
  });
}

function makePackedCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  const add = (name: string, replay: CallReplay): void => {
    calls[`${name}ui`] = replay;
    calls[`${name}uiv`] = replay;
  };
  for (let count = 1; count <= 4; count++) {
    add(`glTexCoordP${count}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute('gl_MultiTexCoord0', unpack(call, count, false)),
    );
    add(`glMultiTexCoordP${count}`, ({ gl }, call) => {
      const unit = numberOf(call, 'texture') - GL.TEXTURE0;
      gl.fixedFunctions.attribute(`gl_MultiTexCoord${unit}`, unpack(call, count, false));
    });
    add(`glVertexAttribP${count}`, ({ gl }, call) => {
      const value = unpack(call, count, booleanOf(call, 'normalized'));
      gl.fixedFunctions.attribute(numberOf(call, 'index'), value);
    });
    if (count === 1) continue;
    add(`glVertexP${count}`, ({ gl }, call) =>
      gl.fixedFunctions.vertex(unpack(call, count, false)),
    );
    if (count === 2) continue;
    add(`glColorP${count}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute('gl_Color', unpack(call, count, true)),
    );
  }
  add('glNormalP3', ({ gl }, call) =>
    gl.fixedFunctions.attribute('gl_Normal', unpack(call, 3, true)),
  );
  add('glSecondaryColorP3', ({ gl }, call) =>
    gl.fixedFunctions.attribute('gl_SecondaryColor', unpack(call, 3, true)),
  );
  return calls;
}

/** Replay functions of packed vertices, by function name. */
export const PACKED_VERTEX_CALLS: Readonly<Record<string, CallReplay>> = makePackedCalls();
