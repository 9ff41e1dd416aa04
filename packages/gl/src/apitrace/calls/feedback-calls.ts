/**
 * Replays the functions of transform feedback (OpenGL 3.0, section 2.15;
 * ARB_transform_feedback2).
 */
import type { CapturedValue } from '../format/captured-value.ts';
import { failCall, numberOf, numbersOf } from './call-arguments.ts';
import { type CallReplay, learnNames } from './recorded-names.ts';

const SEPARATE_ATTRIBS = 0x8c8d;

/** Replay functions of transform feedback, by function name. */
export const FEEDBACK_CALLS: Readonly<Record<string, CallReplay>> = {
  glTransformFeedbackVaryings: ({ gl, shared }, call) => {
    const { varyings } = call.args;
    const names: readonly CapturedValue[] = Array.isArray(varyings)
      ? (varyings as readonly CapturedValue[])
      : [varyings ?? null];
    const texts = names
      .slice(0, numberOf(call, 'count'))
      .map((name) =>
        typeof name === 'string' ? name : failCall(call, 'a varying is not a string'),
      );
    const isSeparate = numberOf(call, 'bufferMode') === SEPARATE_ATTRIBS;
    gl.programs.setFeedback(shared.programs.get(numberOf(call, 'program')), texts, isSeparate);
  },
  glGenTransformFeedbacks: ({ gl, feedbacks }, call) =>
    learnNames(feedbacks, numbersOf(call, 'ids'), (count) => gl.feedback.generate(count)),
  glDeleteTransformFeedbacks: ({ gl, feedbacks }, call) =>
    gl.feedback.remove(numbersOf(call, 'ids').map((name) => feedbacks.remove(name))),
  glBindTransformFeedback: ({ gl, feedbacks }, call) =>
    gl.feedback.bind(feedbacks.get(numberOf(call, 'id'))),
  glBeginTransformFeedback: ({ gl }, call) => {
    const argument = 'primitiveMode' in call.args ? 'primitiveMode' : 'mode';
    gl.feedback.begin(numberOf(call, argument));
  },
  glEndTransformFeedback: ({ gl }) => gl.feedback.end(),
  glDrawTransformFeedback: ({ gl, feedbacks }, call) => {
    const object = gl.feedback.find(feedbacks.get(numberOf(call, 'id')));
    if (object === null) failCall(call, 'the transform feedback object does not exist');
    gl.draws.drawArrays(numberOf(call, 'mode'), 0, object.writtenVertices);
  },
  glPauseTransformFeedback: ({ gl }) => gl.feedback.pause(),
  glResumeTransformFeedback: ({ gl }) => gl.feedback.resume(),
};
