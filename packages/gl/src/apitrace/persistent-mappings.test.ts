import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, FAKE, POSITIONS, replay, startCapture, swap } from '../testing/small-capture.ts';
import { CapturedPointer } from './format/captured-value.ts';

const WRITE_PERSISTENT = 0x42;
const WRITE = 0x02;
const ADDRESS = 0x70000;
const target = GL.ARRAY_BUFFER;

function copy(writer: ReturnType<typeof startCapture>, address: number, src: Uint8Array) {
  const args = { dest: new CapturedPointer(address), src, n: src.length };
  return writer.call('memcpy', args, null, FAKE);
}

function startMapped(access: number) {
  return startCapture()
    .call('glBufferStorage', { target, size: 24, data: POSITIONS, flags: WRITE_PERSISTENT })
    .call(
      'glMapBufferRange',
      { target, offset: 8, length: 16, access },
      new CapturedPointer(ADDRESS),
    );
}

/** Returns the positions of each draw. */
function positionsOf(writer: ReturnType<typeof startCapture>): number[][] {
  const { draws, frame } = replay(swap(writer));
  return draws.map(({ attributes: { at } }) => {
    if (at?.kind !== 'buffer') throw new Error('the position is not in a buffer');
    return [...new Float32Array(frame.buffers[at.bufferIndex]!.bytes.slice().buffer)];
  });
}

describe('mappings of buffers', () => {
  it('draws with what a persistent mapping has received so far', () => {
    const writer = draw(startMapped(WRITE_PERSISTENT));
    copy(writer, ADDRESS + 8, new Uint8Array(Float32Array.of(5, 6).buffer));
    expect(positionsOf(draw(writer))).toEqual([
      [0, 0, 1, 0, 0, 1],
      [0, 0, 1, 0, 5, 6],
    ]);
  });

  it('keeps the bytes of another mapping until its end', () => {
    const writer = startMapped(WRITE);
    copy(writer, ADDRESS, new Uint8Array(Float32Array.of(5, 6).buffer));
    draw(writer).call('glUnmapBuffer', { target });
    expect(positionsOf(draw(writer))).toEqual([
      [0, 0, 1, 0, 0, 1],
      [0, 0, 5, 6, 0, 1],
    ]);
  });

  it('places a copy to another address by the flush after it', () => {
    const writer = startMapped(WRITE_PERSISTENT);
    copy(writer, 0x10, new Uint8Array(Float32Array.of(7, 8).buffer));
    writer.call('glFlushMappedBufferRange', { target, offset: 8, length: 8 });
    expect(positionsOf(draw(writer))).toEqual([[0, 0, 1, 0, 7, 8]]);
  });

  it.each([
    ['another call', (writer: ReturnType<typeof startCapture>) => draw(writer)],
    [
      'a flush of other bytes',
      (writer: ReturnType<typeof startCapture>) =>
        writer.call('glFlushMappedBufferRange', { target, offset: 8, length: 4 }),
    ],
    [
      'a flush past the end',
      (writer: ReturnType<typeof startCapture>) =>
        writer.call('glFlushMappedBufferRange', { target, offset: 12, length: 8 }),
    ],
  ])('rejects a copy to another address before %s', (_, next) => {
    const writer = startMapped(WRITE_PERSISTENT);
    copy(writer, 0x10, new Uint8Array(8));
    expect(() => replay(swap(next(writer)))).toThrow(
      /memcpy.*: the destination is not in a mapped buffer/,
    );
  });
});
