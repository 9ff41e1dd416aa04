/** Replays vertices of 16-bit floats in immediate mode (NV_half_float). */
import { GL } from '../../api/constants.ts';
import type { AttributeKey } from '../../objects/vertex-arrays/vertex-array.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { numberOf } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay } from './recorded-names.ts';

const BITS = new DataView(new ArrayBuffer(2));

/** Returns the number with the bits of a 16-bit float. */
function toNumber(bits: number): number {
  BITS.setUint16(0, bits);
  return BITS.getFloat16(0);
}

function makeHalfCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  const add = (name: string, replay: CallReplay): void => {
    calls[`${name}hNV`] = replay;
    calls[`${name}hvNV`] = replay;
  };
  const halves = (call: CapturedCall, count: number, skip = 0) =>
    vectorOf(call, count, skip).map(toNumber);
  const addAttribute = (name: string, count: number, key: AttributeKey) =>
    add(name, ({ gl }, call) => gl.fixedFunctions.attribute(key, halves(call, count)));
  for (let count = 1; count <= 4; count++) {
    if (count > 1) {
      add(`glVertex${count}`, ({ gl }, call) => gl.fixedFunctions.vertex(halves(call, count)));
    }
    addAttribute(`glTexCoord${count}`, count, 'gl_MultiTexCoord0');
    add(`glMultiTexCoord${count}`, ({ gl }, call) => {
      const unit = numberOf(call, 'target') - GL.TEXTURE0;
      gl.fixedFunctions.attribute(`gl_MultiTexCoord${unit}`, halves(call, count, 1));
    });
    add(`glVertexAttrib${count}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute(numberOf(call, 'index'), halves(call, count, 1)),
    );
    // Several attributes, the first index last, because attribute 0 completes a vertex.
    calls[`glVertexAttribs${count}hvNV`] = ({ gl }, call) => {
      const attributes = numberOf(call, 'n');
      const values = halves(call, attributes * count, 2);
      for (let i = attributes - 1; i >= 0; i--) {
        const value = values.slice(i * count, (i + 1) * count);
        gl.fixedFunctions.attribute(numberOf(call, 'index') + i, value);
      }
    };
  }
  addAttribute('glNormal3', 3, 'gl_Normal');
  addAttribute('glColor3', 3, 'gl_Color');
  addAttribute('glColor4', 4, 'gl_Color');
  addAttribute('glSecondaryColor3', 3, 'gl_SecondaryColor');
  addAttribute('glFogCoord', 1, 'gl_FogCoord');
  return calls;
}

/** Replay functions of `glVertex3hNV`, `glColor4hvNV` and so on, by function name. */
export const HALF_VERTEX_CALLS: Readonly<Record<string, CallReplay>> = makeHalfCalls();
