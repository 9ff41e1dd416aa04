/**
 * Replayed frames of real OpenGL programs match the images of two renderers of Mesa. Two correct
 * renderers differ at silhouettes, in ties and in the last bit, so the tolerances are the
 * differences between Mesa's two. Skipped if the captures are not next to the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gateOf, isWithin } from '@tessera/experiments/capture-gates';
import { compareImages } from '@tessera/experiments/image-comparison';
import type { Frame, Image } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../support/compare-images.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../shared/captures');

const NAMES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('trace.trace'))
      .map((name) => name.slice(0, -'/trace.trace'.length))
      .sort()
  : [];

/**
 * Captures in which every sample is on the border of two texels, so that no renderer is a
 * reference.
 */
const TIED = ['effect2d/200x150'];

/** Returns whether no texture is read through a filter or from mipmap levels. */
function isUnfiltered({ passes }: Frame): boolean {
  return passes
    .flatMap(({ draws }) => draws.flatMap(({ textures }) => Object.values(textures)))
    .every(
      ({ sampler: { magFilter, minFilter, mipmapFilter } }) =>
        magFilter === 'nearest' && minFilter === 'nearest' && mipmapFilter === 'none',
    );
}

function readReference(name: string, renderer: 'softpipe' | 'llvmpipe'): Image {
  return decodePng(readFileSync(join(FOLDER, name, `ref-${renderer}.png`)));
}

/** Returns whether a pixel of `color`, within 1, is at most one pixel away. */
function hasNearby({ rgba, widthPx, heightPx }: Image, pixel: number, color: Uint8Array): boolean {
  const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)];
  return [0, 1, 2].every((component) => {
    let [least, most] = [255, 0];
    for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, heightPx - 1); row++) {
      for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, widthPx - 1); column++) {
        const value = rgba[(row * widthPx + column) * 4 + component]!;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    return color[component]! >= least - 1 && color[component]! <= most + 1;
  });
}

/**
 * Returns the pixels that differ from softpipe by more than 1 and are not on an outline. A pixel on
 * an outline belongs to another triangle: a vertex was snapped to 1/256 pixel while softpipe walks
 * edges in floats, or depths tie. In that case one image has the other's color next to the pixel,
 * or llvmpipe, which also snaps, has our color.
 */
function listInside(image: Image, softpipe: Image, llvmpipe: Image): string[] {
  const colorAt = ({ rgba }: Image, pixel: number) => rgba.subarray(pixel * 4, pixel * 4 + 3);
  const isNear = (a: Uint8Array, b: Uint8Array) => a.every((v, i) => Math.abs(v - b[i]!) <= 1);
  const inside: string[] = [];
  for (let pixel = 0; pixel < image.widthPx * image.heightPx; pixel++) {
    const ours = colorAt(image, pixel);
    const theirs = colorAt(softpipe, pixel);
    if (isNear(ours, theirs) || isNear(ours, colorAt(llvmpipe, pixel))) continue;
    if (hasNearby(softpipe, pixel, ours) || hasNearby(image, pixel, theirs)) continue;
    inside.push(`pixel ${pixel}: ${ours}, softpipe ${theirs}`);
  }
  return inside;
}

describe('pixels inside', () => {
  const gray = (change?: (rgba: Uint8Array) => void): Image => {
    const rgba = new Uint8Array(7 * 7 * 4).fill(100);
    change?.(rgba);
    return { widthPx: 7, heightPx: 7, rgba };
  };
  const CENTRE = 24 * 4;

  it('are those whose color neither image has nearby, nor the other renderer', () => {
    const dot = gray((rgba) => rgba.fill(102, CENTRE, CENTRE + 3));
    const corner = gray((rgba) => rgba.fill(150, CENTRE));
    expect(listInside(dot, gray(), gray())).toHaveLength(0); // 100 is next to it
    expect(listInside(gray(), corner, gray())).toHaveLength(0); // llvmpipe has the color
    const half = gray((rgba) => rgba.fill(150));
    expect(listInside(half, gray(), gray())).toHaveLength(49);
    const edge = gray((rgba) => rgba.fill(150, 21 * 4));
    const shifted = gray((rgba) => rgba.fill(150, 14 * 4));
    const far = gray((rgba) => rgba.fill(150, 0));
    expect(listInside(edge, shifted, far)).toHaveLength(0);
    expect(listInside(edge, far, far)).toHaveLength(14);
  });
});

describe.skipIf(NAMES.length === 0)('captures', () => {
  const gpu = new LocalGpu({ chipletCount: 2 });

  it.each(NAMES.length === 0 ? ['none'] : NAMES)('%s looks as in Mesa', async (name) => {
    const { frame } = replayFrame(readCalls(readFileSync(join(FOLDER, name, 'trace.trace'))), {
      reflection: reflectByCompiling({ compile: compileProgram }),
      frame: 0,
    });
    const { image } = await gpu.render(frame);
    const softpipe = readReference(name, 'softpipe');
    expect([image.widthPx, image.heightPx]).toEqual([softpipe.widthPx, softpipe.heightPx]);
    const found = [softpipe, readReference(name, 'llvmpipe')].map((reference) =>
      compareImages(image, reference),
    );
    const isSeen = found.some((difference) => isWithin(difference, gateOf(name)));
    expect(isSeen, JSON.stringify([found, gateOf(name)])).toBe(true);

    if (!isUnfiltered(frame) || TIED.includes(name)) return;
    // In captures of OpenGL ES llvmpipe computes with 16 bits. They draw the same images.
    const other = readReference(name.replace(/\/es2$/, ''), 'llvmpipe');
    expect(listInside(image, softpipe, other)).toEqual([]);
  });
});
