/** Replays immediate mode in all its sizes and types (OpenGL 2.1, sections 2.6 and 2.7). */
import { GL } from '../../api/constants.ts';
import { numberOf, numbersOf } from './call-arguments.ts';
import { fractionsOf, vectorOf } from './call-vectors.ts';
import type { CallReplay } from './recorded-names.ts';

const FLOAT_TYPES = ['s', 'i', 'f', 'd'];
const COLOR_TYPES = ['b', 'ub', 's', 'us', 'i', 'ui', 'f', 'd'];

/** Adds a function by name and its variant that takes an array. */
function addBoth(calls: Record<string, CallReplay>, name: string, replay: CallReplay): void {
  calls[name] = replay;
  calls[`${name}v`] = replay;
}

function makeVertexCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {
    glBegin: (context, call) => {
      context.beginMode = numberOf(call, 'mode');
      context.gl.fixedFunctions.begin(context.beginMode);
    },
    // Ends the primitive and begins one of the same mode (NV_primitive_restart).
    glPrimitiveRestartNV: ({ gl, beginMode }) => {
      gl.fixedFunctions.end();
      gl.fixedFunctions.begin(beginMode);
    },
    glEnd: ({ gl }) => gl.fixedFunctions.end(),
    glArrayElement: ({ gl }, call) => {
      const element = numberOf(call, 'i');
      const inputs = gl.fixedFunctions.lists.isCompiling ? gl.vertexArrays.pin() : gl.vertexArrays;
      gl.fixedFunctions.lists.submit(() => gl.fixedFunctions.arrayElement(element, inputs));
    },
  };
  addBoth(calls, 'glEdgeFlag', ({ gl }, call) =>
    gl.fixedFunctions.edgeFlag(vectorOf(call, 1)[0] !== 0),
  );
  for (const type of FLOAT_TYPES) {
    for (let count = 1; count <= 4; count++) {
      if (count > 1) {
        addBoth(calls, `glVertex${count}${type}`, ({ gl }, call) =>
          gl.fixedFunctions.vertex(vectorOf(call, count)),
        );
      }
      addBoth(calls, `glTexCoord${count}${type}`, ({ gl }, call) =>
        gl.fixedFunctions.attribute('gl_MultiTexCoord0', vectorOf(call, count)),
      );
      addBoth(calls, `glMultiTexCoord${count}${type}`, ({ gl }, call) => {
        const unit = numberOf(call, 'target') - GL.TEXTURE0;
        gl.fixedFunctions.attribute(`gl_MultiTexCoord${unit}`, vectorOf(call, count, 1));
      });
    }
  }
  for (const type of ['b', 's', 'i', 'f', 'd']) {
    addBoth(calls, `glNormal3${type}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute('gl_Normal', fractionsOf(call, type, 3)),
    );
  }
  for (const type of ['f', 'd']) {
    addBoth(calls, `glFogCoord${type}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute('gl_FogCoord', vectorOf(call, 1)),
    );
  }
  for (const type of COLOR_TYPES) {
    for (const count of [3, 4]) {
      addBoth(calls, `glColor${count}${type}`, ({ gl }, call) =>
        gl.fixedFunctions.attribute('gl_Color', fractionsOf(call, type, count)),
      );
    }
    addBoth(calls, `glSecondaryColor3${type}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute('gl_SecondaryColor', fractionsOf(call, type, 3)),
    );
  }
  return { ...calls, ...makeNumberedAttributes(), ...makeRectangles() };
}

/** Returns the replays of `glVertexAttrib…` for all types. The `N` variants normalize integers. */
function makeNumberedAttributes(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (const type of ['s', 'f', 'd']) {
    for (let count = 1; count <= 4; count++) {
      addBoth(calls, `glVertexAttrib${count}${type}`, ({ gl }, call) =>
        gl.fixedFunctions.attribute(numberOf(call, 'index'), vectorOf(call, count, 1)),
      );
    }
  }
  for (const type of ['b', 'ub', 'us', 'i', 'ui']) {
    calls[`glVertexAttrib4${type}v`] = ({ gl }, call) =>
      gl.fixedFunctions.attribute(numberOf(call, 'index'), vectorOf(call, 4, 1));
  }
  for (const type of ['b', 'ub', 's', 'us', 'i', 'ui']) {
    addBoth(calls, `glVertexAttrib4N${type}`, ({ gl }, call) =>
      gl.fixedFunctions.attribute(numberOf(call, 'index'), fractionsOf(call, type, 4, 1)),
    );
  }
  return calls;
}

/** Returns the replays of `glRect…`, which draws a polygon of four vertices. */
function makeRectangles(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  const replay: CallReplay = ({ gl }, call) => {
    const [x1, y1, x2, y2] = Object.keys(call.args).flatMap((name) => numbersOf(call, name));
    gl.fixedFunctions.begin(GL.POLYGON);
    for (const corner of [
      [x1!, y1!],
      [x2!, y1!],
      [x2!, y2!],
      [x1!, y2!],
    ]) {
      gl.fixedFunctions.vertex(corner);
    }
    gl.fixedFunctions.end();
  };
  for (const type of FLOAT_TYPES) addBoth(calls, `glRect${type}`, replay);
  return calls;
}

/** Replay functions of immediate mode, by function name. */
export const VERTEX_CALLS: Readonly<Record<string, CallReplay>> = makeVertexCalls();
