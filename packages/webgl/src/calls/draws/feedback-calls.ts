/** Transform feedback objects (WebGL 2.0, section 3.7.15). */

import { checkObject, isAlive, isDeletable, requireObject } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { WebGLTransformFeedback } from '../../objects/webgl-object.ts';
import { WebGLActiveInfo, WebGLProgram } from '../../objects/webgl-program.ts';
import { areBuffersDistinct } from '../../rules/feedback-conflicts.ts';
import { requireLinked } from '../programs/program-calls.ts';

type Given = WebGLTransformFeedback | null;

/** Runs a call and returns whether it raised no error. */
function succeeds(core: ContextCore, call: () => void): boolean {
  const before = core.errorCount;
  call();
  return core.errorCount === before;
}

/** WebGL calls for transform feedback. */
export const feedbackCalls = {
  createTransformFeedback(this: ContextObject): WebGLTransformFeedback {
    const core = this[CORE];
    return new WebGLTransformFeedback(core, core.gl.feedback.generate(1)[0]!);
  },
  deleteTransformFeedback(this: ContextObject, feedback: Given): void {
    const core = this[CORE];
    const caller = 'deleteTransformFeedback';
    if (!isDeletable(core, caller, feedback, WebGLTransformFeedback)) return;
    if (feedback.isActive) {
      core.raise(GL.INVALID_OPERATION, caller, 'the transform feedback object is active');
      return;
    }
    feedback.isDeleted = true;
    if (core.transformFeedback === feedback) core.transformFeedback = core.defaultFeedback;
    core.gl.feedback.remove([feedback.glName]);
  },
  isTransformFeedback(this: ContextObject, feedback: Given): boolean {
    const core = this[CORE];
    return (
      isAlive(core, 'isTransformFeedback', feedback, WebGLTransformFeedback) && feedback.wasBound
    );
  },
  bindTransformFeedback(this: ContextObject, target: number, feedback: Given): void {
    const core = this[CORE];
    const caller = 'bindTransformFeedback';
    const isNone = feedback === null || feedback === undefined;
    if (!isNone && !checkObject(core, caller, feedback, WebGLTransformFeedback)) return;
    if (target !== GL.TRANSFORM_FEEDBACK) {
      core.rejectEnum(caller, 'target', target);
      return;
    }
    if (!succeeds(core, () => core.gl.feedback.bind(isNone ? 0 : feedback.glName))) return;
    core.transformFeedback = isNone ? core.defaultFeedback : feedback;
    core.transformFeedback.wasBound = true;
  },
  beginTransformFeedback(this: ContextObject, mode: number): void {
    const core = this[CORE];
    if (!areBuffersDistinct(core, 'beginTransformFeedback')) return;
    if (!succeeds(core, () => core.gl.feedback.begin(mode))) return;
    core.transformFeedback.isActive = true;
    core.activeFeedbacks.add(core.transformFeedback);
    core.transformFeedback.isPaused = false;
  },
  endTransformFeedback(this: ContextObject): void {
    const core = this[CORE];
    if (!succeeds(core, () => core.gl.feedback.end())) return;
    core.transformFeedback.isActive = false;
    core.activeFeedbacks.delete(core.transformFeedback);
    core.transformFeedback.isPaused = false;
  },
  pauseTransformFeedback(this: ContextObject): void {
    const core = this[CORE];
    if (succeeds(core, () => core.gl.feedback.pause())) core.transformFeedback.isPaused = true;
  },
  resumeTransformFeedback(this: ContextObject): void {
    const core = this[CORE];
    if (succeeds(core, () => core.gl.feedback.resume())) {
      core.transformFeedback.isPaused = false;
    }
  },
  transformFeedbackVaryings(
    this: ContextObject,
    program: WebGLProgram,
    varyings: Iterable<string>,
    bufferMode: number,
  ): void {
    const core = this[CORE];
    const caller = 'transformFeedbackVaryings';
    const found = requireObject(core, caller, program, WebGLProgram);
    if (found === null) return;
    const names = Array.from(varyings, String);
    const isSeparate = bufferMode === GL.SEPARATE_ATTRIBS;
    if (!isSeparate && bufferMode !== GL.INTERLEAVED_ATTRIBS) {
      core.rejectEnum(caller, 'buffer mode', bufferMode);
      return;
    }
    if (isSeparate && names.length > LIMITS.transformFeedbackBindings) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `${names.length} separate varyings exceed the limit of ${LIMITS.transformFeedbackBindings}`,
      );
      return;
    }
    found.nextFeedback = { varyings: names, bufferMode };
    core.gl.programs.setFeedback(found.glName, names, isSeparate);
  },
  getTransformFeedbackVarying(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
  ): WebGLActiveInfo | null {
    const core = this[CORE];
    const caller = 'getTransformFeedbackVarying';
    const found = requireLinked(core, caller, program);
    if (found === null) return null;
    const name = found.feedback.varyings[index >>> 0];
    if (name === undefined) {
      core.raise(GL.INVALID_VALUE, caller, `there is no captured varying ${index}`);
      return null;
    }
    const output = found.interface!.findOutput(name);
    return output && new WebGLActiveInfo(output.size, output.type, name);
  },
};
