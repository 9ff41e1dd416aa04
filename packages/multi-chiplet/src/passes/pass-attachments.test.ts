import { describe, expect, it } from 'vitest';
import { type PassAttachments, toImage } from './pass-attachments.ts';

const SIZE = { widthPx: 256, heightPx: 256, depthStencil: null, sampleCount: 1 };

function attachmentsOf(format: 'r16float' | 'rg8unorm' | 'r32float'): PassAttachments {
  return { ...SIZE, colors: [{ image: { textureIndex: 0 }, format }] };
}

/** The rule of 8-bit displays: clamped to 0…1, rounded to the nearest of 255 steps, NaN as 0. */
function byteOf(value: number): number {
  if (!(value > 0)) return 0;
  return value >= 1 ? 255 : Math.floor(value * 255 + 0.5);
}

describe('toImage', () => {
  it('shows every half-precision float as a byte', () => {
    const bits = Uint16Array.from({ length: 65536 }, (_, half) => half);
    const halves = new Float16Array(bits.buffer);
    const { rgba } = toImage(attachmentsOf('r16float'), [new Uint8Array(bits.buffer)], 1);
    halves.forEach((value, pixel) => {
      if (rgba[pixel * 4] !== byteOf(value)) expect({ value, byte: rgba[pixel * 4] }).toBeNull();
    });
    expect([...rgba.subarray(0x3800 * 4, 0x3800 * 4 + 4)]).toEqual([128, 0, 0, 255]); // ½
  });

  it('shows single-precision floats likewise', () => {
    const floats = Float32Array.from({ length: 65536 }, (_, i) => (i - 9000) / 40_000);
    floats[0] = Number.NaN;
    const texels = new Uint8Array(floats.buffer);
    const { rgba } = toImage(attachmentsOf('r32float'), [texels], 1);
    expect(floats.findIndex((value, pixel) => rgba[pixel * 4] !== byteOf(value))).toBe(-1);
  });

  it('keeps bytes, and adds blue and alpha', () => {
    const texels = Uint8Array.from({ length: 2 * 65536 }, (_, i) => i * 7);
    const { rgba } = toImage(attachmentsOf('rg8unorm'), [texels], 1);
    expect([...rgba.subarray(4 * 300, 4 * 300 + 4)]).toEqual([texels[600], texels[601], 0, 255]);
  });
});
