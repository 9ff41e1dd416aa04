/**
 * Frames of our own in OpenGL 2.1's fixed functions, held against Mesa's softpipe: the insides of shapes agree
 * within 1, outlines may lie up to a pixel elsewhere. `make-references.ts` makes the pictures.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalGpu } from '@tessera/experiments';
import { compareImages } from '@tessera/experiments/image-comparison';
import { reflectByCompiling } from '@tessera/gl';
import { readTrace, replayFrame } from '@tessera/gl/apitrace';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../support/compare-images.ts';
import { SCENE_FRAME } from './scene-writer.ts';
import { SCENES } from './scenes.ts';

const REFERENCES = join(import.meta.dirname, 'references');

describe('OpenGL scenes look as in Mesa', () => {
  const gpu = new LocalGpu(2);

  it.each(SCENES.map(({ name, capture }) => [name, capture] as const))(
    '%s',
    async (name, capture) => {
      const { frame, errors } = replayFrame(readTrace(capture()), {
        reflection: reflectByCompiling(compileProgram),
        frameIndex: SCENE_FRAME,
      });
      expect(errors).toEqual([]);
      const { image } = await gpu.render(frame);
      const path = join(REFERENCES, `${name}.png`);
      expect(existsSync(path), `${path} is there`).toBe(true);
      const found = compareImages(image, decodePng(readFileSync(path)));
      expect(found.inside, JSON.stringify(found)).toBe(0);
      expect(found.over8 / found.pixels, JSON.stringify(found)).toBeLessThan(0.005);
    },
  );
});
