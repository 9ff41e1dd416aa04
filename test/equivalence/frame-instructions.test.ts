/**
 * Whether a frame exceeds the budget of shader instructions does not depend on the chiplets that
 * render it.
 */

import { DEFAULT_CHIPLET_SPEC, defineChipletSpec, summarizeSpec } from '@tessera/chiplet-spec';
import {
  type Chiplet,
  coarseBinCount,
  type FrameBroadcast,
  makeCoarseBinGrid,
  type PreparedFrame,
} from '@tessera/frame';
import { createLocalChiplet, type LocalChiplet } from '@tessera/gpu';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import { renderFrame } from '@tessera/multi-chiplet/rendering';
import { parseNativeFrame } from '@tessera/wire/native-frame';
import { describe, expect, it } from 'vitest';
import { nativeTriangle } from '../../services/coordinator/src/testing/native-triangle.ts';

const SIZE_PX = 256;
const LOOP =
  'precision highp float; void main() { float v = 0.0; ' +
  'for (int i = 0; i < 50; i++) v += fract(gl_FragCoord.x * 0.37); gl_FragColor = vec4(v); }';
const PLAIN = 'void main() { gl_FragColor = vec4(1.0); }';

function frameOf(fragmentSource: string): PreparedFrame {
  return prepareFrame(parseNativeFrame(nativeTriangle(SIZE_PX, fragmentSource)), {
    grid: makeCoarseBinGrid(SIZE_PX, SIZE_PX, 4, 2),
    visibilityShader: 'minimal',
    timing: 'functional',
    programs: new ProgramCache(),
  });
}

/** Returns the chiplets of one GPU in this process. */
function makeHosts(count: number): Chiplet[] {
  const workers: LocalChiplet[] = [];
  const crosslink = {
    broadcast: async (message: FrameBroadcast) => {
      for (const worker of workers) worker.receiveBroadcast(message);
    },
  };
  for (let id = 1; id < count; id++) workers.push(createLocalChiplet({ id }));
  return [createLocalChiplet({ id: 0, crosslink }), ...workers];
}

function render(frame: PreparedFrame, chipletCount: number, instructionBudget: number) {
  return renderFrame(frame, {
    frameId: 'frame',
    hosts: makeHosts(chipletCount),
    chipletCount,
    policy: 'dynamic',
    isVisibilityChipletRendering: true,
    spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
    readClockMs: () => performance.now(),
    instructionBudget,
  });
}

/** Returns the instructions of the visibility phase and of all bins. */
async function countInstructions(frame: PreparedFrame): Promise<number> {
  const chiplet = createLocalChiplet({ id: 0 });
  const summary = await chiplet.computeVisibility('frame', frame, 0);
  let sum = summary.shaderInstructions!;
  for (let binId = 0; binId < coarseBinCount(frame.commands.grid); binId++) {
    const result = await chiplet.renderBin({ frameId: 'frame', passIndex: 0, binId });
    sum += result.shaderInstructions!;
  }
  return sum;
}

describe('the budget of instructions of a frame', () => {
  it('counts each round of a loop for each pixel', async () => {
    const plain = await countInstructions(frameOf(PLAIN));
    const loop = await countInstructions(frameOf(LOOP));
    expect(plain).toBeGreaterThan(4 * SIZE_PX ** 2); // at least four outputs per pixel
    expect(plain).toBeLessThan(20 * SIZE_PX ** 2);
    // From three (compare, add, multiply) to twenty instructions per iteration.
    expect(loop).toBeGreaterThan(150 * SIZE_PX ** 2);
    expect(loop).toBeLessThan(1000 * SIZE_PX ** 2);
  });

  it.each([1, 2, 3])('is the same on %i chiplets, to the instruction', async (chipletCount) => {
    const frame = frameOf(LOOP);
    const instructions = await countInstructions(frame);
    const { report } = await render(frame, chipletCount, instructions);
    expect(report.chiplets).toHaveLength(chipletCount);
    await expect(render(frame, chipletCount, instructions - 1)).rejects.toMatchObject({
      code: 'SHADER_BUDGET_EXCEEDED',
      message: `the shaders of the frame executed more than ${instructions - 1} instructions`,
    });
  });

  it('stops a single bin that takes too many', async () => {
    const spec = defineChipletSpec({ name: 'test', runInstructionBudget: 2 ** 20 });
    const chiplet = createLocalChiplet({ id: 0, spec });
    await chiplet.computeVisibility('frame', frameOf(LOOP), 0);
    const bin = chiplet.renderBin({ frameId: 'frame', passIndex: 0, binId: 0 });
    await expect(bin).rejects.toMatchObject({
      code: 'SHADER_BUDGET_EXCEEDED',
      message: expect.stringContaining('exceeded 1048576 instructions'),
    });
  });
});
