import { describe, expect, it } from 'vitest';
import { readRadianceHdr } from './read-radiance-hdr.ts';

const LIMITS = { maxPixels: 1000 };
const HEAD = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n';

function hdr(head: string, resolution: string, bytes: readonly number[]): Uint8Array {
  return Uint8Array.from([...new TextEncoder().encode(`${head}\n${resolution}\n`), ...bytes]);
}

/** A row of 8 pixels: red runs from 1 to 8, green repeats 128, blue is 0, the exponent is 1. */
const ENCODED_ROW = [2, 2, 0, 8, 8, 1, 2, 3, 4, 5, 6, 7, 8, 136, 128, 136, 0, 136, 129];

describe('readRadianceHdr', () => {
  it('reads pixels with a shared exponent', () => {
    const image = readRadianceHdr(hdr(HEAD, '-Y 2 +X 1', [128, 64, 0, 129, 255, 1, 2, 0]), LIMITS);
    expect(image).toEqual({
      widthPx: 1,
      heightPx: 2,
      rgb: Float32Array.of(1, 0.5, 0, 0, 0, 0),
    });
  });

  it('reads rows whose components are encoded in runs', () => {
    const { rgb } = readRadianceHdr(hdr(HEAD, '-Y 1 +X 8', ENCODED_ROW), LIMITS);
    for (let x = 0; x < 8; x++) {
      expect([...rgb.subarray(3 * x, 3 * x + 3)]).toEqual([(x + 1) / 128, 1, 0]);
    }
  });

  it('reads repeated pixels of the older encoding', () => {
    const { rgb } = readRadianceHdr(hdr(HEAD, '-Y 1 +X 4', [128, 0, 0, 129, 1, 1, 1, 3]), LIMITS);
    expect([...rgb]).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
  });

  it('divides by the exposures', () => {
    const head = `${HEAD}EXPOSURE=2\nEXPOSURE=4\n`;
    const { rgb } = readRadianceHdr(hdr(head, '-Y 1 +X 1', [128, 128, 128, 132]), LIMITS);
    expect([...rgb]).toEqual([1, 1, 1]);
  });

  it.each([
    ['PNG', hdr('\x89PNG', '', []), 'MODEL_INVALID', 'does not begin with #?RADIANCE'],
    ['no end', new TextEncoder().encode(HEAD), 'MODEL_INVALID', 'header has no end'],
    ['no pixels', hdr(HEAD, '-Y 0 +X 4', []), 'MODEL_INVALID', 'no pixels'],
    ['turned', hdr(HEAD, '+Y 1 +X 1', [1, 2, 3, 4]), 'MODEL_UNSUPPORTED', '+Y 1 +X 1'],
    [
      'XYZ',
      hdr('#?RADIANCE\nFORMAT=32-bit_rle_xyze\n', '-Y 1 +X 1', []),
      'MODEL_UNSUPPORTED',
      'xyze',
    ],
    ['exposure', hdr(`${HEAD}EXPOSURE=0\n`, '-Y 1 +X 1', []), 'MODEL_INVALID', 'EXPOSURE'],
    ['cut', hdr(HEAD, '-Y 2 +X 8', ENCODED_ROW), 'MODEL_INVALID', 'row 1: the file ends'],
    ['run', hdr(HEAD, '-Y 1 +X 8', [2, 2, 0, 8, 137, 1]), 'MODEL_INVALID', 'row 0: a run'],
    ['first run', hdr(HEAD, '-Y 1 +X 2', [1, 1, 1, 1]), 'MODEL_INVALID', 'row 0: a run'],
    ['large', hdr(HEAD, '-Y 1000 +X 1000', []), 'LIMIT_EXCEEDED', '1000×1000'],
  ])('refuses a file: %s', (_what, bytes, code, message) => {
    expect(() => readRadianceHdr(bytes, LIMITS)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('throws nothing but RenderError whatever byte is changed', () => {
    const whole = hdr(HEAD, '-Y 1 +X 8', ENCODED_ROW);
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = whole.with(at, value);
        try {
          readRadianceHdr(changed, LIMITS);
        } catch (error) {
          expect((error as Error).name, `byte ${at} = ${value}`).toBe('RenderError');
        }
      }
    }
  });
});
