/** An endless shader is stopped: its frame fails, and the next frame does not. */
import { describe, expect, it } from 'vitest';
import { drawScene, rectangle, type SceneDraw } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const SIZE = { widthPx: 130, heightPx: 70 };
const POSITIONS = rectangle(0, 0, SIZE.widthPx, SIZE.heightPx);

const fragment = (body: string) => `#version 300 es
precision highp float;
precision highp int;
uniform int limit;
out vec4 result;
void main() {
  result = vec4(0, 0, 0, 1);
  ${body}
}`;
const vertex = (body: string) => `#version 300 es
precision highp int;
in vec4 position;
uniform int limit;
void main() {
  gl_Position = position;
  ${body}
}`;

const STEP = 'result.x += 0.001;';
const ENDLESS: readonly { readonly what: string; readonly draw: Partial<SceneDraw> }[] = [
  { what: 'while (true)', draw: { fragmentSource: fragment(`while (true) { ${STEP} }`) } },
  {
    what: 'a loop whose counter stands still',
    draw: { fragmentSource: fragment(`for (int i = 0; i < 10; i += limit) { ${STEP} }`) },
  },
  {
    what: 'a loop that one pixel alone never leaves',
    draw: {
      fragmentSource: fragment(`
  bool isStuck = int(gl_FragCoord.x) == 77 && int(gl_FragCoord.y) == 33;
  do { ${STEP} } while (isStuck);`),
    },
  },
  {
    what: 'nested loops of 2^15 rounds each',
    draw: {
      fragmentSource: fragment(`
  for (int i = 0; i < 32768; i++) for (int j = 0; j < 32768; j++) { ${STEP} }`),
    },
  },
  {
    what: 'a vertex shader without end',
    draw: {
      vertexSource: vertex('while (gl_Position.w > 0.0) { gl_Position.x += 0.0001; }'),
    },
  },
];

describe('shader budget', () => {
  it('lets a loop of a thousand rounds end (control)', async () => {
    const fragmentSource = fragment('for (int i = 0; i < limit; i++) result.x += 1.0 / 1000.0;');
    const draws = [{ positions: POSITIONS, fragmentSource, uniforms: { limit: [1000] } }];
    expectPixels(await drawScene({ ...SIZE, draws }), () => [255, 0, 0, 255], 1);
  });

  it.each(ENDLESS)('stops $what, and renders the next frame', async ({ draw }) => {
    const endless = { positions: POSITIONS, ...draw };
    await expect(drawScene({ ...SIZE, draws: [endless] })).rejects.toMatchObject({
      name: 'RenderError',
      code: 'SHADER_BUDGET_EXCEEDED',
    });
    const next = await drawScene({ ...SIZE, draws: [{ positions: POSITIONS }] });
    expectPixels(next, () => [255, 255, 255, 255]);
  });

  it('counts per invocation, not per frame', async () => {
    const fragmentSource = fragment('for (int i = 0; i < limit; i++) result.x += 1.0 / 2000.0;');
    const draws = Array.from({ length: 3 }, () => ({
      positions: POSITIONS,
      fragmentSource,
      uniforms: { limit: [2000] },
    }));
    expectPixels(await drawScene({ ...SIZE, draws }), () => [255, 0, 0, 255], 1);
  });
});
