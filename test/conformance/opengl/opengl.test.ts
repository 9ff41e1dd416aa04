/**
 * Frames that use OpenGL 2.1's fixed functions match Mesa's two software renderers. The insides
 * of shapes agree within 1; outlines may be a pixel apart. make-references.ts generates the
 * reference images.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareImages } from '@tessera/experiments/image-comparison';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../support/compare-images.ts';
import { SCENES } from './scenes.ts';
import { SCENE_FRAME } from './writer/scene-writer.ts';

/**
 * Permitted shares of pixels that differ by more than 1, and of those that an outline does not
 * explain.
 */
interface Gate {
  readonly over1: number;
  readonly inside: number;
}

const PLAIN: Gate = { over1: 0.001, inside: 0 };
/**
 * Gates by scene. Mesa's own renderers differ by as much in the samples that thin lines and points
 * cover.
 */
const GATES: Readonly<Record<string, Gate>> = {
  primitives: { over1: 0.012, inside: 0.0001 },
  outlines: { over1: 0.002, inside: 0 },
  points: { over1: 0.016, inside: 0.003 },
  smooth: { over1: 0.01, inside: 0.0015 },
};

const REFERENCES = join(import.meta.dirname, 'references');

describe('OpenGL scenes look as in Mesa', () => {
  const gpu = new LocalGpu({ chipletCount: 2 });

  it.each(SCENES)('$name', async ({ name, capture }) => {
    const { frame, errors } = replayFrame(readCalls(capture()), {
      reflection: reflectByCompiling({ compile: compileProgram }),
      frame: SCENE_FRAME,
    });
    expect(errors).toEqual([]);
    const { image } = await gpu.render(frame);
    const found = ['softpipe', 'llvmpipe'].map((renderer) => {
      const reference = decodePng(readFileSync(join(REFERENCES, `${name}-${renderer}.png`)));
      return { renderer, ...compareImages(image, reference) };
    });
    const gate = GATES[name] ?? PLAIN;
    const isSeen = found.some(
      ({ inside, over1, pixels }) => inside <= pixels * gate.inside && over1 <= pixels * gate.over1,
    );
    expect(isSeen, JSON.stringify(found)).toBe(true);
  });
});
