/**
 * A frame rendered synchronously in this thread equals the frame rendered by asynchronous hosts:
 * images, textures, reports.
 */

import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import {
  chooseCoarseBinGrid,
  type Frame,
  type PreparedFrame,
  type Report,
  type Timing,
} from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { createLocalChiplet, SimulatedChiplet } from '@tessera/gpu';
import {
  accountTogether,
  ProgramCache,
  prepareFrame,
  renderFrame,
  renderFrameNow,
  type SimulatedGpuOptions,
} from '@tessera/multi-chiplet';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { SCENES } from '../conformance/opengl/scenes.ts';
import { SCENE_FRAME } from '../conformance/opengl/writer/scene-writer.ts';
import { GOLDEN_SCENES } from '../golden/scenes.ts';

const WALL: Report['wall'] = {
  prepareMs: 0,
  visibilityMs: 0,
  binsMs: 0,
  totalMs: 0,
  retriedBins: 0,
  checkedBins: 0,
};
const GPU: SimulatedGpuOptions = {
  chipletCount: 3,
  policy: 'dynamic',
  isVisibilityChipletRendering: true,
  spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
};
const programs = new ProgramCache();
const host = createLocalChiplet({ id: 0 });
const chiplet = new SimulatedChiplet();

function prepare(frame: Frame, timing: Timing, binCount: number): PreparedFrame {
  const { widthPx, heightPx } = frame;
  const grid = chooseCoarseBinGrid({ kind: 'bins', count: binCount }, widthPx, heightPx, 3);
  return prepareFrame(frame, { grid, visibilityShader: 'minimal', timing, programs });
}

async function expectEqual(frame: Frame, timing: Timing, binCount = 4, splits = 0): Promise<void> {
  const prepared = prepare(frame, timing, binCount);
  const gpu = { ...GPU, splits };
  const expected = await renderFrame(prepared, {
    ...gpu,
    frameId: 'equal',
    hosts: [host],
    readClockMs: () => 0,
  });
  const now = renderFrameNow(prepared, { chiplet, splits });
  expect(now.image).toEqual(expected.image);
  expect(now.drawnTextures).toEqual(expected.drawnTextures);
  expect(now.measurement).toEqual(expected.measurement);
  const account = accountTogether([now], now.image!, { ...gpu, wall: WALL });
  expect(account.report).toEqual(expected.report);
  expect(account.timeline).toEqual(expected.timeline);
}

const PASSES = SCENES.filter(({ name }) => name.startsWith('rendered'));

describe('a frame rendered at once', () => {
  it.each(Object.keys(GOLDEN_SCENES))('%s', async (name) => {
    await expectEqual(await GOLDEN_SCENES[name]!(), 'functional');
  });

  it.each(['cube', 'textured-quad', 'random-triangles'])('%s to the cycle', async (name) => {
    await expectEqual(await GOLDEN_SCENES[name]!(), 'cycle');
  });

  it('also holds for split bins', async () => {
    await expectEqual(await GOLDEN_SCENES['random-triangles']!(), 'cycle', 4, 3);
  });

  describe.each(PASSES)('$name', ({ capture }) => {
    it.each(['functional', 'cycle'] as const)('%s', async (timing) => {
      const { frame } = replayFrame(readCalls(capture()), {
        reflection: reflectByCompiling({ compile: compileProgram }),
        frame: SCENE_FRAME,
      });
      await expectEqual(frame, timing);
    });
  });
});
