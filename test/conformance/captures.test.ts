/**
 * Frames that real OpenGL programs drew, replayed and held against two renderers of Mesa. Two correct
 * renderers differ at silhouettes, in ties and in the last bit, so the gates are what Mesa's two differ by.
 * Skipped where the captures are not beside the repository.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalGpu } from '@tessera/experiments';
import { compareImages, type ImageComparison } from '@tessera/experiments/image-comparison';
import { reflectByCompiling } from '@tessera/gl';
import { readTrace, replayFrame } from '@tessera/gl/apitrace';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../support/compare-images.ts';

const FOLDER = resolve(import.meta.dirname, '../../../shared/captures');

/** What a picture may differ by from the nearer of two references. */
interface Gate {
  /** Share of pixels with a component off by more than 1. */
  readonly over1: number;
  /** The same, more than 8. */
  readonly over8: number;
  /** The same, more than 1 and not explained by an outline that lies up to a pixel elsewhere. */
  readonly inside: number;
  readonly psnrDb: number;
}

const PLAIN: Gate = { over1: 0.005, over8: 0.0005, inside: 0.00005, psnrDb: 0 };
/** Formulas of the level of detail differ. */
const MIPMAPPED: Gate = { over1: 0.02, over8: 1, inside: 0.0001, psnrDb: 55 };
/** Every sample lies on the border of two texels, and rounding alone says which is taken. */
const TIED: Gate = { over1: 0.05, over8: 0.02, inside: 0, psnrDb: 40 };

/** Nine passes, with generated levels of odd sizes; Mesa's two renderers reach 30 dB against each other. */
const SEVERAL_PASSES: Gate = { over1: 1, over8: 1, inside: 1, psnrDb: 29 };

const GATES: Readonly<Record<string, Gate>> = {
  texture: MIPMAPPED,
  'texture/200x150': MIPMAPPED,
  'texture/es2': MIPMAPPED,
  'effect2d/200x150': TIED,
  terrain: SEVERAL_PASSES,
  'terrain/200x150': SEVERAL_PASSES,
};

const NAMES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('trace.trace'))
      .map((name) => name.slice(0, -'/trace.trace'.length))
      .sort()
  : [];

function isWithin(found: ImageComparison, gate: Gate): boolean {
  const { pixels, over1, over8, inside, psnrDb } = found;
  return (
    over1 <= gate.over1 * pixels &&
    over8 <= gate.over8 * pixels &&
    inside <= gate.inside * pixels &&
    (psnrDb === null || psnrDb >= gate.psnrDb)
  );
}

describe.skipIf(NAMES.length === 0)('captures', () => {
  const gpu = new LocalGpu(2);

  it.each(NAMES.length === 0 ? ['none'] : NAMES)('%s looks as in Mesa', async (name) => {
    const { frame } = replayFrame(readTrace(readFileSync(join(FOLDER, name, 'trace.trace'))), {
      reflection: reflectByCompiling(compileProgram),
      frameIndex: 0,
    });
    const { image } = await gpu.render(frame);
    const found = ['softpipe', 'llvmpipe'].map((renderer) => {
      const reference = decodePng(readFileSync(join(FOLDER, name, `ref-${renderer}.png`)));
      expect([image.widthPx, image.heightPx]).toEqual([reference.widthPx, reference.heightPx]);
      return { renderer, ...compareImages(image, reference) };
    });
    const gate = GATES[name] ?? PLAIN;
    const isSeen = found.some((difference) => isWithin(difference, gate));
    expect(isSeen, `${JSON.stringify(found)} pass ${JSON.stringify(gate)}`).toBe(true);
  });
});
