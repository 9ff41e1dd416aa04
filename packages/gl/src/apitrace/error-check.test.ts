/** Errors that the program of a capture did not get must not become wrong images. */
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import { DECLARATION_REFLECTION } from '../testing/small-context.ts';
import { CaptureFrames } from './capture-frames.ts';
import type { CaptureWriter } from './capture-writer.ts';
import { readCallStream } from './format/capture-reader.ts';

/** Capture whose second draw exceeds its buffer. */
const startWithError = (): CaptureWriter => draw(draw(startCapture()), 4);

const askForError = (writer: CaptureWriter, result: number): CaptureWriter =>
  writer.call('glGetError', {}, result);

describe('errors of replayed calls', () => {
  it('lists errors that the program got, with their calls', () => {
    const { draws, errors } = replay(swap(askForError(startWithError(), GL.INVALID_OPERATION)));
    expect(draws).toHaveLength(1);
    expect(errors).toEqual([
      {
        code: GL.INVALID_OPERATION,
        callNumber: 21,
        functionName: 'glDrawArrays',
        message: expect.stringMatching(/^GL_INVALID_OPERATION: .*ends at byte 32 of 24/),
      },
    ]);
  });

  it('refuses a frame with an error that the program did not get', () => {
    const refusal = /^call 21 \(glDrawArrays\): GL_INVALID_OPERATION: .*, but the program got no/;
    expect(() => replay(swap(askForError(startWithError(), 0)))).toThrow(refusal);
    // An error of an earlier frame may have changed state.
    const earlier = swap(draw(startCapture()).call('glEnable', { cap: 1 }));
    const later = swap(draw(askForError(earlier, 0)));
    expect(() => replay(later, 1)).toThrow(/\(glEnable\): GL_INVALID_ENUM: .*got no error/);
  });

  it('refuses a frame with an error that the program never asks for', () => {
    const refusal = /, but the program does not ask whether it got this error$/;
    expect(() => replay(swap(startWithError()))).toThrow(refusal);
    expect(() => replay(startWithError(), 'end')).toThrow(refusal);
    // Two frames later is too late: errors are searched to the end of the next frame.
    const late = askForError(swap(draw(swap(startWithError()))), GL.INVALID_OPERATION);
    expect(() => replay(late)).toThrow(refusal);
  });

  it('accepts an error that the program asks for after the frame, or cannot avoid', () => {
    const after = askForError(draw(swap(startWithError())), GL.INVALID_OPERATION);
    expect(replay(swap(after)).errors).toHaveLength(1);
    const popped = draw(startCapture()).call('glPopMatrix', {});
    expect(replay(swap(popped)).errors).toHaveLength(1);
  });

  it('accepts errors that every implementation raises, unless the program asks and gets none', () => {
    const other = { target: GL.TEXTURE_CUBE_MAP, texture: 3 };
    const bound = () =>
      startCapture()
        .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 3 })
        .call('glBindTexture', other);
    const { errors } = replay(swap(draw(bound())));
    expect(errors.map(({ code }) => code)).toEqual([GL.INVALID_OPERATION]);
    expect(() => replay(swap(draw(askForError(bound(), 0))))).toThrow(/got no error/);
    // A certain error confirms no other one.
    const both = draw(bound().call('glEnable', { cap: 1 }));
    expect(() => replay(swap(both))).toThrow(/\(glEnable\): .*does not ask/);
  });

  it('replays the calls in which it searched', async () => {
    const writer = swap(draw(askForError(draw(swap(startWithError())), GL.INVALID_OPERATION)));
    const bytes = swap(draw(writer)).finish();
    const chunks = (async function* () {
      yield bytes;
    })();
    const reflection = DECLARATION_REFLECTION;
    const frames = new CaptureFrames(readCallStream(chunks), { reflection });
    const counts: number[] = [];
    for (const index of [0, 1, 2]) {
      const { frame } = await frames.take(index);
      counts.push(frame.passes.flatMap(({ draws }) => draws).length);
    }
    expect(counts).toEqual([1, 2, 1]);
  });
});
