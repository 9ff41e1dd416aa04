/**
 * A released frame stops in the middle of a kernel of the rendering thread, which then renders the
 * next frame normally.
 */
import {
  type BinResult,
  type Chiplet,
  makeCoarseBinGrid,
  type PreparedFrame,
  type Timing,
} from '@tessera/frame';
import { createLocalChiplet } from '@tessera/gpu';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import { ThreadedChiplet } from '@tessera/wire';
import { parseNativeFrame } from '@tessera/wire/native-frame';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeTriangle } from '../../services/coordinator/src/testing/native-triangle.ts';

const THREAD = new URL('../../services/visibility-chiplet/src/chiplet-thread.ts', import.meta.url);
const SIZE_PX = 256;
/**
 * Number of iterations per pixel that takes minutes in total, but stays within the budget of each
 * invocation.
 */
const ENDLESS =
  'precision highp float; void main() { float v = 0.0; ' +
  'for (int i = 0; i < 60000; i++) v = v * 0.999 + gl_FragCoord.x; gl_FragColor = vec4(v); }';
const SHORT =
  'precision highp float; void main() { float v = 0.0; ' +
  'for (int i = 0; i < 30; i++) v += fract(gl_FragCoord.x * 0.37 + gl_FragCoord.y * 0.11) / 30.0; ' +
  'gl_FragColor = vec4(v, 1.0 - v, v * v, 1.0); }';

const programs = new ProgramCache();

function frameOf(fragmentSource: string, timing: Timing, edgePx = SIZE_PX): PreparedFrame {
  const frame = parseNativeFrame(nativeTriangle(edgePx, fragmentSource));
  const grid = makeCoarseBinGrid(edgePx, edgePx, 1, 1);
  return prepareFrame(frame, { grid, visibilityShader: 'minimal', timing, programs });
}

async function renderOn(
  chiplet: Chiplet,
  frameId: string,
  frame: PreparedFrame,
): Promise<Pick<BinResult, 'colors' | 'counters' | 'cycles'>> {
  await chiplet.computeVisibility(frameId, frame, 0);
  const { colors, counters, cycles } = await chiplet.renderBin({
    frameId,
    passIndex: 0,
    binId: 0,
  });
  chiplet.releaseFrame(frameId);
  return { colors, counters, cycles };
}

describe('a frame that is released in the midst of a bin', () => {
  let chiplet: ThreadedChiplet;
  const deaths: Error[] = [];

  beforeAll(() => {
    chiplet = new ThreadedChiplet({
      id: 0,
      threadUrl: THREAD,
      threadSetup: { id: 0, niceness: 0 },
      crosslink: null,
      onDied: (error) => deaths.push(error),
    });
  });

  afterAll(() => chiplet.close());

  it.each(['functional', 'cycle'] as const)(
    'frees its chiplet, which renders the next frame as a new one does: %s',
    async (timing) => {
      const next = frameOf(SHORT, timing, 64);
      const expected = await renderOn(createLocalChiplet({ id: 0 }), 'next', next);
      const endless = frameOf(ENDLESS, timing);
      for (const [attempt, delayMs] of [0, 1, 30, 300].entries()) {
        const frameId = `${timing} endless ${attempt}`;
        await chiplet.computeVisibility(frameId, endless, 0);
        const bin = chiplet.renderBin({ frameId, passIndex: 0, binId: 0 });
        const refused = expect(bin).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        chiplet.releaseFrame(frameId);
        await refused;
        expect(await renderOn(chiplet, `${timing} next ${attempt}`, next)).toEqual(expected);
      }
      expect(deaths).toEqual([]);
    },
    30_000,
  );
});
