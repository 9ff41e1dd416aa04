import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { CaptureWriter, inChunks } from './capture-writer.ts';
import { readCallStream, readCalls } from './format/capture-reader.ts';
import { CapturedPointer } from './format/captured-value.ts';
import { findLastFrame, summarizeCapture, summarizeCaptureStream } from './summarize-capture.ts';

const FAKE = 1;

function writeTwoFrames(): CaptureWriter {
  const context = new CapturedPointer(0x1000);
  const drawable = new CapturedPointer(7);
  const view = { x: 0, y: 0, width: 320, height: 200 };
  const swap = { dpy: null, drawable };
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: null, shareList: null }, context)
    .call('glXMakeCurrent', { dpy: null, drawable, ctx: context })
    .call('glViewport', view, null, FAKE)
    .call('glViewport', { ...view, width: 64 })
    .call('XPending', {})
    .call('glXSwapBuffers', swap)
    .call('glFlush')
    .call('glDispatchCompute', { num_groups_x: 1 })
    .call('glDrawArrays', { mode: GL.TRIANGLES, first: 0, count: 3 })
    .call('glDrawElementsInstanced', { mode: GL.TRIANGLES, count: 3 })
    .call('glXSwapBuffers', swap)
    .call('glDrawArrays', { mode: GL.TRIANGLES, first: 0, count: 3 });
}

describe('summarizeCapture', () => {
  it('counts calls by function and says what replaying does with each', () => {
    const summary = summarizeCapture(readCalls(writeTwoFrames().finish()));
    expect(summary).toMatchObject({ api: 'gl', calls: 12, incompleteCalls: 0 });
    const use = (name: string) => summary.functions.find((each) => each.name === name);
    expect(use('glXMakeCurrent')).toMatchObject({ calls: 1, support: 'replayed' });
    expect(use('glDrawArrays')).toMatchObject({ calls: 2, support: 'replayed' });
    expect(use('glFlush')?.support).toBe('without effect');
    expect(use('XPending')?.support).toBe('unknown');
    expect(use('glDispatchCompute')?.support).toBe('refused');
    const counts = summary.functions.map(({ calls }) => calls);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it('lists frames by their swaps, with the draws of each', () => {
    const { frames, drawsAfterLastFrame } = summarizeCapture(readCalls(writeTwoFrames().finish()));
    expect(frames).toEqual([
      { firstCall: 0, lastCall: 5, draws: 0 },
      { firstCall: 6, lastCall: 10, draws: 2 },
    ]);
    expect(drawsAfterLastFrame).toBe(1);
  });

  it('lists the calls that finish an image after a draw, and finds the last frame', async () => {
    const last = (writer: CaptureWriter) =>
      findLastFrame(readCallStream(inChunks(writer.finish(), 64)));
    const writer = writeTwoFrames();
    expect(summarizeCapture(readCalls(writer.finish())).ends).toEqual([]);
    expect(await last(writer)).toBe('end');
    writer.call('glFlush').call('glFlush').call('glRecti').call('glReadPixels');
    expect(summarizeCapture(readCalls(writer.finish())).ends).toEqual([
      { call: 12, name: 'glFlush', draws: 1 },
      { call: 15, name: 'glReadPixels', draws: 1 },
    ]);
    const swapped = writer.call('glXSwapBuffers', { dpy: null, drawable: null });
    expect(await last(swapped)).toBe(2);
    expect(await last(swapped.call('glXSwapBuffers', { dpy: null, drawable: null }))).toBe(2);
    expect(await last(new CaptureWriter().call('glFlush'))).toBe('end');
  });

  it('takes the size from the viewport that the tracer made up', () => {
    const { size } = summarizeCapture(readCalls(writeTwoFrames().finish()));
    expect(size).toEqual({ widthPx: 320, heightPx: 200 });
    expect(summarizeCapture(readCalls(new CaptureWriter().finish())).size).toBeNull();
    const probe = { x: 0, y: 0, width: 32, height: 32 };
    const probed = new CaptureWriter().call('glViewport', probe, null, 1);
    probed.call('glViewport', { ...probe, width: 64 }, null, 1).call('glDrawArrays', { mode: 4 });
    probed.call('glViewport', { ...probe, width: 99 }, null, 1);
    const drawn = summarizeCapture(readCalls(probed.finish()));
    expect(drawn.size).toEqual({ widthPx: 64, heightPx: 32 });
  });

  it('takes the size of the first frame that is shown, not that of a probe before it', () => {
    const viewport = (width: number) => ({ x: 0, y: 0, width, height: 32 });
    const draw = { mode: 4, first: 0, count: 3 };
    const swap = { dpy: null, drawable: null };
    const writer = new CaptureWriter()
      .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: new CapturedPointer(5) }, true)
      .call('glViewport', viewport(1), null, 1)
      .call('glDrawArrays', draw)
      .call('glViewport', viewport(64), null, 1)
      .call('glXSwapBuffers', swap)
      .call('glViewport', viewport(99), null, 1)
      .call('glDrawArrays', draw)
      .call('glXSwapBuffers', swap);
    const { size } = summarizeCapture(readCalls(writer.finish()));
    expect(size).toEqual({ widthPx: 64, heightPx: 32 });
  });

  it('tells calls that had not come back', () => {
    const writer = writeTwoFrames();
    writer.enter('glXSwapBuffers', { dpy: null, drawable: null });
    const summary = summarizeCapture(readCalls(writer.finish()));
    expect([summary.incompleteCalls, summary.frames.length]).toEqual([1, 2]);
  });

  it('counts swaps as frames only where a context is current, as replaying does', () => {
    const writer = new CaptureWriter().call('glXSwapBuffers', { dpy: null, drawable: 7 });
    expect(summarizeCapture(readCalls(writer.finish())).frames).toEqual([]);
  });

  it('counts immediate mode and calls of display lists as draws', () => {
    const writer = writeTwoFrames()
      .call('glBegin', { mode: GL.QUADS })
      .call('glCallList', { list: 1 })
      .call('glRecti', { x1: 0, y1: 0, x2: 1, y2: 1 });
    expect(summarizeCapture(readCalls(writer.finish())).drawsAfterLastFrame).toBe(4);
  });

  it('counts what is before the damage, and says where that is', () => {
    const sound = summarizeCapture(readCalls(writeTwoFrames().finish()));
    const damaged = summarizeCapture(readCalls(writeTwoFrames().raw(9).finish()));
    expect(sound.damage).toBeNull();
    expect(damaged.damage).toMatch(/decompressed byte \d+: event 9/);
    expect({ ...damaged, damage: null }).toEqual(sound);
  });

  it('fails where there is not a single call', () => {
    const file = new CaptureWriter().raw(9).finish();
    expect(() => summarizeCapture(readCalls(file))).toThrow(/event 9/);
  });

  it('says the same of a capture that comes in pieces', async () => {
    const file = writeTwoFrames().finish('snappy', 16);
    const streamed = await summarizeCaptureStream(readCallStream(inChunks(file, 5)));
    expect(streamed).toEqual(summarizeCapture(readCalls(file)));
  });
});
