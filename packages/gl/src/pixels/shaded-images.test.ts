import { describe, expect, it } from 'vitest';
import { replay, startCapture, swap } from '../testing/small-capture.ts';

type Writer = ReturnType<typeof startCapture>;

const BITMAP = {
  ...{ width: 8, height: 1, xorig: 0, yorig: 0, xmove: 8, ymove: 0 },
  bitmap: Uint8Array.of(255, 0, 0, 0),
};
const windowPos = (writer: Writer) => writer.call('glWindowPos2i', { x: 1, y: 1 });
const rasterPos = (writer: Writer) => writer.call('glRasterPos2f', { x: 0, y: 0 });
const unuse = (writer: Writer) => writer.call('glUseProgram', { program: 0 });
const bitmap = (writer: Writer) => writer.call('glBitmap', BITMAP);

function drawsOf(...steps: readonly ((writer: Writer) => Writer)[]): number {
  const writer = steps.reduce((before, step) => step(before), startCapture());
  return replay(swap(writer)).draws.length;
}

describe('images while a program is in use', () => {
  it('are refused if a fragment shader would compute their colors', () => {
    expect(() => drawsOf(windowPos, bitmap)).toThrow(/images with a fragment shader/);
    expect(drawsOf(windowPos, unuse, bitmap)).toBe(1);
  });

  it('are refused at a position that a vertex shader would compute', () => {
    expect(() => drawsOf(rasterPos, unuse, bitmap)).toThrow(/raster position of a vertex shader/);
    expect(drawsOf(rasterPos, unuse, rasterPos, bitmap)).toBe(1);
    expect(drawsOf(rasterPos, unuse, windowPos, bitmap)).toBe(1);
  });

  it('are refused with assembly programs', () => {
    const enable = (writer: Writer) => writer.call('glEnable', { cap: 0x8804 });
    expect(() => drawsOf(unuse, windowPos, enable, bitmap)).toThrow(/with a fragment shader/);
  });
});
