import { describe, expect, it } from 'vitest';
import { drawSvg, isSvg } from './svg-image.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const draw = (shapes: string, root = 'width="4" height="4"') =>
  drawSvg(
    encode(
      `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${root}>${shapes}</svg>`,
    ),
  );

function pixel(image: ReturnType<typeof drawSvg>, x: number, y: number): number[] {
  const at = (y * image.widthPx + x) * 4;
  return [...image.rgba.subarray(at, at + 4)];
}

/** Alpha of all pixels, row by row. */
const alphas = ({ rgba }: ReturnType<typeof drawSvg>): number[] =>
  Array.from({ length: rgba.length / 4 }, (_, i) => rgba[i * 4 + 3]!);

describe('drawSvg', () => {
  it('fills shapes over each other', () => {
    const image = draw(
      '<rect fill="#f00" width="4" height="2"/><rect y="1" width="4" height="3" fill="lime"/>',
    );
    expect([pixel(image, 0, 0), pixel(image, 3, 1)]).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ]);
  });

  it('covers edge pixels in proportion to the shape', () => {
    const image = draw('<rect x="0.5" y="0.25" width="1" height="1"/>', 'width="2" height="2"');
    expect(alphas(image)).toEqual([96, 96, 32, 32]);
  });

  it('fills paths with their fill rule', () => {
    const ring = 'M0 0H4V4H0Z M1 1 h2 v2 h-2 z';
    expect(alphas(draw(`<path d="${ring}"/>`))[5]).toBe(255);
    expect(alphas(draw(`<path fill-rule="evenodd" d="${ring}"/>`))[5]).toBe(0);
  });

  it('draws curves: a circle of arcs and one of Bézier curves cover the same', () => {
    const k = 0.5523;
    const quarter = `M2 2 L4 2 C4 ${2 + 2 * k} ${2 + 2 * k} 4 2 4 Z`;
    const smooth = `M4 2 C4 ${2 + 2 * k} ${2 + 2 * k} 4 2 4 S0 ${2 + 2 * k} 0 2Z`;
    const [circle, path, half, arc] = [
      alphas(draw('<circle cx="2" cy="2" r="2"/>')),
      ...[quarter, smooth, 'M4 2a2 2 0 01-2 2A2 2 0 1 1 4 2'].map((d) =>
        alphas(draw(`<path d="${d}"/>`)),
      ),
    ] as [number[], number[], number[], number[]];
    expect(Math.abs(circle[15]! - path[15]!)).toBeLessThan(3);
    expect([circle[10], path[10], path[0]]).toEqual([255, 255, 0]);
    for (const at of [8, 11, 12, 15]) expect(Math.abs(half[at]! - circle[at]!)).toBeLessThan(3);
    expect([half[0], half[3]]).toEqual([0, 0]);
    for (const [at, alpha] of arc.entries()) expect(Math.abs(alpha - circle[at]!)).toBeLessThan(3);
  });

  it('fits its view box into its size', () => {
    const image = draw(
      '<polygon points="0,0 1,0 1,1 0,1"/>',
      'width="4" height="2" viewBox="0 0 1 1"',
    );
    expect(alphas(image)).toEqual([0, 255, 255, 0, 0, 255, 255, 0]);
    const sizeOf = (root: string) => {
      const { widthPx, heightPx } = draw('', root);
      return [widthPx, heightPx];
    };
    expect(sizeOf('viewBox="0 0 7 5"')).toEqual([0, 0]);
    expect(sizeOf('viewBox="0 0 7 5" width="14"')).toEqual([14, 10]);
    expect(sizeOf('height="3" width="100%"')).toEqual([0, 3]);
  });

  it('is redrawn at another size', () => {
    const text = '<svg width="1" height="1"><rect width="0.5" height="1"/></svg>';
    expect(alphas(drawSvg(encode(text)))).toEqual([128]);
    const wide = drawSvg(encode(text), { widthPx: 4, heightPx: 1 });
    expect(alphas(wide)).toEqual([255, 255, 0, 0]);
  });

  it.each([
    ['<text>hello</text>', /SVG element text is not supported/],
    ['<rect width="1" height="1" stroke="red"/>', /stroke of rect/],
    ['<g transform="scale(2)"><rect/></g>', /transform of g/],
    ['<rect width="1" height="1" fill="url(#gradient)"/>', /fill url/],
    ['<rect width="1em" height="1"/>', /length 1em/],
  ])('rejects %s', (shapes, message) => {
    expect(() => draw(shapes)).toThrow(message);
  });
});

it('distinguishes SVG from other images', () => {
  expect(isSvg(encode('<?xml version="1.0"?><svg width="1"/>'))).toBe(true);
  expect(isSvg(encode('<html></html>'))).toBe(false);
  expect(isSvg(Uint8Array.of(137, 80, 78, 71))).toBe(false);
});
