/** Replays evaluators (OpenGL 2.1, section 5.1) and the render mode (sections 5.2 and 5.3). */
import type { CapturedCall } from '../format/capture-reader.ts';
import { floatOf, numberOf, numbersOf } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay } from './recorded-names.ts';

/** Returns one variable of a map, whose arguments have these suffixes or prefixes. */
function axisOf(call: CapturedCall, variable: 'u' | 'v', prefix: '' | 'u' | 'v') {
  return {
    from: floatOf(call, `${variable}1`),
    to: floatOf(call, `${variable}2`),
    stride: numberOf(call, `${prefix}stride`),
    order: numberOf(call, `${prefix}order`),
  };
}

function makeEvaluatorCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (const type of ['f', 'd']) {
    calls[`glMap1${type}`] = ({ gl }, call) =>
      gl.evaluators.define(
        numberOf(call, 'target'),
        [axisOf(call, 'u', '')],
        numbersOf(call, 'points'),
      );
    calls[`glMap2${type}`] = ({ gl }, call) =>
      gl.evaluators.define(
        numberOf(call, 'target'),
        [axisOf(call, 'u', 'u'), axisOf(call, 'v', 'v')],
        numbersOf(call, 'points'),
      );
    calls[`glMapGrid1${type}`] = ({ gl }, call) => {
      const [count, from, to] = vectorOf(call, 3);
      gl.evaluators.setGrid([{ count: count!, from: from!, to: to! }]);
    };
    calls[`glMapGrid2${type}`] = ({ gl }, call) => {
      const [countU, u1, u2, countV, v1, v2] = vectorOf(call, 6);
      gl.evaluators.setGrid([
        { count: countU!, from: u1!, to: u2! },
        { count: countV!, from: v1!, to: v2! },
      ]);
    };
    for (const count of [1, 2]) {
      for (const suffix of [type, `${type}v`]) {
        calls[`glEvalCoord${count}${suffix}`] = ({ gl }, call) =>
          gl.evaluators.evaluate(...vectorOf(call, count));
      }
    }
  }
  return calls;
}

/** Replay functions of evaluators and of the render mode, by function name. */
export const EVALUATOR_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makeEvaluatorCalls(),
  glEvalPoint1: ({ gl }, call) => gl.evaluators.evaluatePoint(...vectorOf(call, 1)),
  glEvalPoint2: ({ gl }, call) => gl.evaluators.evaluatePoint(...vectorOf(call, 2)),
  glEvalMesh1: ({ gl }, call) => {
    const [mode, first, last] = vectorOf(call, 3);
    gl.evaluators.mesh1(mode!, first!, last!);
  },
  glEvalMesh2: ({ gl }, call) => {
    const [mode, i1, i2, j1, j2] = vectorOf(call, 5);
    gl.evaluators.mesh2(mode!, i1!, i2!, j1!, j2!);
  },
  glRenderMode: ({ gl }, call) => gl.fixed.setRenderMode(numberOf(call, 'mode')),
};
