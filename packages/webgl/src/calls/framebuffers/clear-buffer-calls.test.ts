/**
 * Clears, checked texel by texel: scissor, color mask, several color buffers of different kinds.
 */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../../create-context.ts';
import { makeContext2 } from '../../testing/small-context.ts';

const EDGE_PX = 8;

interface Kind {
  readonly name: 'float' | 'int' | 'uint';
  readonly format: 'RGBA32F' | 'RGBA32I' | 'RGBA32UI';
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Kinds of color buffers, with values that need all bits of the kind. */
const KINDS: readonly Kind[] = [
  { name: 'float', format: 'RGBA32F', first: [-2, 0.5, 3, 7], second: [1.5, -8, 0, 100] },
  {
    name: 'int',
    format: 'RGBA32I',
    first: [-1, 2147483647, -2147483648, 16777217],
    second: [5, -6, 1073741825, -8],
  },
  {
    name: 'uint',
    format: 'RGBA32UI',
    first: [4294967295, 0, 2147483649, 16777217],
    second: [1, 2, 3, 4294967294],
  },
];

function clearBuffer(gl: TesseraContext2, { name }: Kind, drawBuffer: number, value: List): void {
  if (name === 'float') gl.clearBufferfv(gl.COLOR, drawBuffer, [...value]);
  else if (name === 'int') gl.clearBufferiv(gl.COLOR, drawBuffer, [...value]);
  else gl.clearBufferuiv(gl.COLOR, drawBuffer, [...value]);
}

type List = readonly number[];

/** Binds a framebuffer with one renderbuffer per kind, in output order. */
function attachColors(gl: TesseraContext2, kinds: readonly Kind[]): void {
  gl.getExtension('EXT_color_buffer_float');
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  for (const [i, { format }] of kinds.entries()) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
    gl.renderbufferStorage(gl.RENDERBUFFER, gl[format], EDGE_PX, EDGE_PX);
    const point = gl.COLOR_ATTACHMENT0 + i;
    gl.framebufferRenderbuffer(
      gl.FRAMEBUFFER,
      point,
      gl.RENDERBUFFER,
      gl.getParameter(gl.RENDERBUFFER_BINDING),
    );
  }
  gl.drawBuffers(kinds.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
}

function readColor(gl: TesseraContext2, { name }: Kind, attachment: number): number[] {
  gl.readBuffer(gl.COLOR_ATTACHMENT0 + attachment);
  const count = 4 * EDGE_PX * EDGE_PX;
  const [format, type, texels] =
    name === 'float'
      ? ([gl.RGBA, gl.FLOAT, new Float32Array(count)] as const)
      : name === 'int'
        ? ([gl.RGBA_INTEGER, gl.INT, new Int32Array(count)] as const)
        : ([gl.RGBA_INTEGER, gl.UNSIGNED_INT, new Uint32Array(count)] as const);
  gl.readPixels(0, 0, EDGE_PX, EDGE_PX, format, type, texels);
  return [...texels];
}

describe('clearBuffer', () => {
  const orders = KINDS.map((_, i) => [KINDS[i]!, KINDS[(i + 1) % 3]!, KINDS[(i + 2) % 3]!]);

  it.each(orders)('clears one of several color buffers within scissor and mask: %#', (...kinds) => {
    const gl = makeContext2();
    attachColors(gl, kinds);
    const expected = kinds.map(() => new Array<number>(4 * EDGE_PX * EDGE_PX).fill(0));
    const steps = [
      { scissor: [0, 0, EDGE_PX, EDGE_PX], mask: [true, true, true, true], isFirst: true },
      { scissor: [2, 1, 3, 5], mask: [true, true, true, true], isFirst: false },
      { scissor: [0, 4, 7, 4], mask: [true, false, false, true], isFirst: true },
      { scissor: [0, 0, EDGE_PX, EDGE_PX], mask: [false, false, true, false], isFirst: false },
      { scissor: [6, 6, 0, 2], mask: [true, true, true, true], isFirst: false },
    ] as const;
    gl.enable(gl.SCISSOR_TEST);
    for (const { scissor, mask, isFirst } of steps) {
      const [left, bottom, width, height] = scissor;
      gl.scissor(left, bottom, width, height);
      gl.colorMask(mask[0], mask[1], mask[2], mask[3]);
      for (const [i, kind] of kinds.entries()) {
        const value = isFirst ? kind.first : kind.second;
        clearBuffer(gl, kind, i, value);
        for (let y = bottom; y < bottom + height; y++) {
          for (let x = left; x < left + width; x++) {
            for (let c = 0; c < 4; c++) {
              if (mask[c]) expected[i]![4 * (y * EDGE_PX + x) + c] = value[c]!;
            }
          }
        }
      }
    }
    for (const [i, kind] of kinds.entries()) {
      expect(readColor(gl, kind, i), `${kind.name} ${i}`).toEqual(expected[i]);
    }
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('clears a part in the middle of a pass', () => {
    const gl = makeContext2();
    const [, int, uint] = KINDS;
    attachColors(gl, [int!, uint!]);
    clearBuffer(gl, int!, 0, int!.first);
    clearBuffer(gl, uint!, 1, uint!.first);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 1, 1);
    clearBuffer(gl, uint!, 1, uint!.second);
    expect(readColor(gl, uint!, 1).slice(0, 8)).toEqual([...uint!.second, ...uint!.first]);
    expect(readColor(gl, int!, 0).slice(0, 8)).toEqual([...int!.first, ...int!.first]);
  });

  it('converts numbers to the type of the call', () => {
    const gl = makeContext2();
    attachColors(gl, [KINDS[2]!]);
    gl.clearBufferuiv(gl.COLOR, 0, [9, -1, 2.5, 4, 5], 1);
    expect(readColor(gl, KINDS[2]!, 0).slice(0, 4)).toEqual([4294967295, 2, 4, 5]);
  });

  it('clears depth and stencil only within the scissor', () => {
    const gl = makeContext2({ stencil: true });
    gl.clearBufferfi(gl.DEPTH_STENCIL, 0, 0.25, 3);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 4, EDGE_PX);
    gl.clearBufferfv(gl.DEPTH, 0, [0.75]);
    gl.clearBufferiv(gl.STENCIL, 0, [7]);
    expect(gl.getParameter(gl.DEPTH_CLEAR_VALUE)).toBe(1);
    expect(gl.getParameter(gl.STENCIL_CLEAR_VALUE)).toBe(0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('rejects what OpenGL ES rejects', () => {
    const gl = makeContext2();
    attachColors(gl, KINDS);
    const { COLOR, DEPTH, STENCIL, DEPTH_STENCIL } = gl;
    const cases: readonly (readonly [() => void, number])[] = [
      [() => gl.clearBufferfv(STENCIL, 0, [0, 0, 0, 0]), gl.INVALID_ENUM],
      [() => gl.clearBufferiv(DEPTH, 0, [0, 0, 0, 0]), gl.INVALID_ENUM],
      [() => gl.clearBufferuiv(DEPTH, 0, [0, 0, 0, 0]), gl.INVALID_ENUM],
      [() => gl.clearBufferfi(DEPTH, 0, 0, 0), gl.INVALID_ENUM],
      [() => gl.clearBufferfv(COLOR, -1, [0, 0, 0, 0]), gl.INVALID_VALUE],
      [() => gl.clearBufferfv(COLOR, 8, [0, 0, 0, 0]), gl.INVALID_VALUE],
      [() => gl.clearBufferfv(DEPTH, 1, [0]), gl.INVALID_VALUE],
      [() => gl.clearBufferiv(STENCIL, 1, [0]), gl.INVALID_VALUE],
      [() => gl.clearBufferfi(DEPTH_STENCIL, 1, 0, 0), gl.INVALID_VALUE],
      [() => gl.clearBufferfv(COLOR, 0, [0, 0, 0]), gl.INVALID_VALUE],
      [() => gl.clearBufferfv(COLOR, 0, [0, 0, 0, 0], 1), gl.INVALID_VALUE],
      [() => gl.clearBufferiv(COLOR, 0, [0, 0, 0, 0]), gl.INVALID_OPERATION],
      [() => gl.clearBufferfv(COLOR, 1, [0, 0, 0, 0]), gl.INVALID_OPERATION],
      [() => gl.clearBufferuiv(COLOR, 1, [0, 0, 0, 0]), gl.INVALID_OPERATION],
      [() => gl.clearBufferfv(COLOR, 5, [0, 0, 0, 0]), gl.NO_ERROR],
      [() => gl.clear(gl.COLOR_BUFFER_BIT), gl.INVALID_OPERATION],
      [() => gl.clear(gl.DEPTH_BUFFER_BIT), gl.NO_ERROR],
    ];
    for (const [call, code] of cases) {
      call();
      expect(gl.getError(), String(call)).toBe(code);
    }
  });
});

describe('clear', () => {
  it('clears all color buffers within scissor and mask', () => {
    const gl = makeContext2();
    const [float] = KINDS;
    attachColors(gl, [float!, float!]);
    gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1]);
    gl.clearColor(1, 2, 3, 4);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 1, EDGE_PX);
    gl.colorMask(true, true, true, false);
    gl.clearColor(5, 6, 7, 8);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readColor(gl, float!, 0).slice(0, 8)).toEqual([5, 6, 7, 0, 0, 0, 0, 0]);
    expect(readColor(gl, float!, 1).slice(0, 8)).toEqual([5, 6, 7, 4, 1, 2, 3, 4]);
  });

  it('take values that are not finite', () => {
    const gl = makeContext2();
    gl.clearBufferfv(gl.COLOR, 0, [NaN, Infinity, -Infinity, 1]);
    gl.clearBufferfv(gl.DEPTH, 0, [NaN]);
    gl.clearBufferfi(gl.DEPTH_STENCIL, 0, Infinity, -1);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    expect([...pixel]).toEqual([0, 255, 0, 255]);
  });
});
