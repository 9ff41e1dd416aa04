/** Sequences that draw, with everything that a draw needs. */
import type { Argument } from '../calls/call-list.ts';
import { type CallRecorder, refer } from '../calls/call-recorder.ts';
import { constants } from '../calls/constants.ts';
import { acceptedValues } from '../calls/enumerations.ts';
import type { KnownObject } from '../calls/known-objects.ts';
import { useBuffer, useProgram } from './define-objects.ts';
import { GL } from './gl-constants.ts';

/** Uses a program and sets its uniforms. */
export function setUniforms(to: CallRecorder): void {
  const program = useProgram(to);
  for (const [setter, location] of program.locations!) {
    const isMatrix = setter.startsWith('uniformMatrix');
    const size = isMatrix
      ? [...setter.matchAll(/\d/g)].reduce((product, [digit]) => product * Number(digit), 1)
      : Number(/\d/.exec(setter)![0]);
    const elements = isMatrix && !setter.includes('x') ? size * size : size;
    const scalar = /(f|ui|i)v?$/.exec(setter)![1]!;
    const kind = { f: 'floats', i: 'integers', ui: 'unsigneds' }[scalar]!;
    const values = setter.endsWith('v')
      ? [to.maker.suitable(`${kind}${elements}`)]
      : [to.random.integer(0, 3)];
    to.call(setter, [{ ref: location }, ...(isMatrix ? [false] : []), ...values]);
  }
}

function setAttributes(to: CallRecorder, program: KnownObject): void {
  program.pair!.attributes.forEach(({ isInteger }, index) => {
    to.call('bindBuffer', [GL.ARRAY_BUFFER!, refer(useBuffer(to, false))]);
    if (isInteger) {
      const type = acceptedValues('integerType', 2, new Set())[5]!;
      to.call('vertexAttribIPointer', [index, 2, type, 0, 0]);
    } else {
      to.call('vertexAttribPointer', [index, to.random.integer(1, 4), GL.FLOAT!, false, 0, 0]);
    }
    to.call('enableVertexAttribArray', [index]);
  });
  for (const index of program.pair!.blocks.keys()) {
    to.call('uniformBlockBinding', [refer(program), index, index]);
    to.call('bindBufferBase', [GL.UNIFORM_BUFFER!, index, refer(useBuffer(to, false))]);
  }
}

/** Draws with a program whose attributes have buffers. */
export function draw(to: CallRecorder): void {
  const program = useProgram(to);
  setAttributes(to, program);
  if (to.random.next() < 0.5) {
    to.call('bindBuffer', [GL.ELEMENT_ARRAY_BUFFER!, refer(useBuffer(to, true))]);
    const mode = to.maker.suitable('primitive');
    to.call('drawElements', [mode, to.random.integer(0, 24), GL.UNSIGNED_SHORT!, 0]);
  } else {
    to.suitable('drawArrays', ['primitive', 'first', 'count']);
  }
  if (to.version === 2 && to.random.next() < 0.3) {
    to.suitable('drawArraysInstanced', ['primitive', 'first', 'count', 'instances']);
  }
}

/** Captures a draw by transform feedback, which is not always ended. */
export function capture(to: CallRecorder): void {
  const program = useProgram(to);
  setAttributes(to, program);
  const feedback = to.create('createTransformFeedback');
  to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, refer(feedback)]);
  const buffer = to.create('createBuffer');
  buffer.hasIndices = false;
  to.call('bindBufferBase', [GL.TRANSFORM_FEEDBACK_BUFFER!, 0, refer(buffer)]);
  to.call('bufferData', [GL.TRANSFORM_FEEDBACK_BUFFER!, 1024, GL.STATIC_DRAW!]);
  to.call('beginTransformFeedback', [GL.POINTS!]);
  to.call('drawArrays', [GL.POINTS!, 0, to.random.integer(1, 8)]);
  if (to.random.next() < 0.3) to.call('pauseTransformFeedback', []);
  if (to.random.next() < 0.8) to.call('endTransformFeedback', []);
  if (to.random.next() < 0.7) {
    to.call('bindBufferBase', [GL.TRANSFORM_FEEDBACK_BUFFER!, 0, null]);
    to.call('bindTransformFeedback', [GL.TRANSFORM_FEEDBACK!, null]);
  }
}

/** Counts the samples of a draw. */
export function query(to: CallRecorder): void {
  const made = to.create('createQuery');
  to.call('beginQuery', [GL.ANY_SAMPLES_PASSED!, refer(made)]);
  if (to.random.next() < 0.5) draw(to);
  if (to.random.next() < 0.9) to.call('endQuery', [GL.ANY_SAMPLES_PASSED!]);
  to.call('getQueryParameter', [refer(made), GL.QUERY_RESULT_AVAILABLE!]);
}

/** Measures a draw by a timer query of the version's extension. */
export function time(to: CallRecorder): void {
  const { random } = to;
  const [elapsed, timestamp, result] = constants('TIME_ELAPSED_EXT TIMESTAMP_EXT QUERY_RESULT');
  const isFirst = to.version === 1;
  const extension = `EXT_disjoint_timer_query${isFirst ? '' : '_webgl2'}`;
  to.call('getExtension', [extension]);
  const call = (name: string, given: readonly Argument[]) =>
    isFirst ? to.call(`${name}EXT`, given, extension) : to.call(name, given);
  const made = call('createQuery', []);
  if (random.next() < 0.4) {
    to.call('queryCounterEXT', [refer(made), timestamp!], extension);
  } else {
    call('beginQuery', [elapsed!, refer(made)]);
    if (random.next() < 0.5) draw(to);
    if (random.next() < 0.8) call('endQuery', [elapsed!]);
  }
  if (isFirst) call('getQueryObject', [refer(made), result!]);
  else to.call('getQueryParameter', [refer(made), result!]);
  if (random.next() < 0.3) call('deleteQuery', [refer(made)]);
}
