/**
 * Lines that the lookups of helper lanes read. Each pixel reads a cache line of its own, so lines
 * count lanes.
 */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { Counters } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { makeFrame, makeTexture } from '../scene/draw-scene.ts';
import { NEAREST } from './textured-quad.ts';

const SIZE_PX = 64;
/** Distance between the texels of adjacent pixels: a block of 4×4 is a line. */
const STEP_TEXELS = 4;
const TEXTURE_PX = SIZE_PX * STEP_TEXELS;
const POLICIES = ['none', 'needed', 'implicit', 'all'] as const;

const texture = makeTexture({
  ...{ format: 'rgba8unorm', dimension: '2d', widthPx: TEXTURE_PX, heightPx: TEXTURE_PX },
  levels: [Uint8Array.from({ length: TEXTURE_PX ** 2 * 4 }, (_, i) => (i * 7 + (i >> 8)) & 255)],
  isMipmapGenerated: false,
});

async function render(body: string, helperLaneLookups: (typeof POLICIES)[number]) {
  const fragmentSource = `#version 300 es
precision highp float;
uniform sampler2D u_texture;
out vec4 o_color;
void main() {
  vec2 uv = gl_FragCoord.xy / ${SIZE_PX}.0;
  ${body}
}`;
  const frame = makeFrame({
    ...{ widthPx: SIZE_PX, heightPx: SIZE_PX, textures: [texture] },
    draws: [
      {
        // Both long edges cut quads; all lanes of quads are inside the target.
        positions: [
          [2, 3],
          [61, 21],
          [11, 60],
        ],
        fragmentSource,
        textures: { u_texture: { textureIndex: 0, sampler: NEAREST } },
      },
    ],
  });
  const gpu = new LocalGpu({
    chipletCount: 1,
    spec: defineChipletSpec({ name: 'test', helperLaneLookups }),
  });
  const { image, report } = await gpu.render(frame, {
    policy: 'dynamic',
    grid: { kind: 'bins', count: 1 },
    visibilityShader: 'minimal',
    timing: 'cycle',
  });
  return { image, counters: report.chiplets[0]!.counters };
}

/** Returns the number of logged lines by policy; checks what no policy may change. */
async function linesByPolicy(body: string): Promise<{ lines: number[]; counters: Counters }> {
  const runs = [];
  for (const policy of POLICIES) runs.push(await render(body, policy));
  for (const { image, counters } of runs) {
    expect(image).toEqual(runs[0]!.image);
    expect(counters['textureUnit.linesLogged']).toBe(
      counters['textureUnit.lineHits']! + counters['textureUnit.lineMisses']!,
    );
    expect(counters['textureUnit.requests']).toBe(counters['textureUnit.requestsLogged']);
  }
  const lines = runs.map(({ counters }) => counters['textureUnit.linesLogged']!);
  return { lines, counters: runs[0]!.counters };
}

describe('lookups of helper lanes', () => {
  it('read a line for each lane that the policy names', async () => {
    const { lines, counters } = await linesByPolicy('o_color = texture(u_texture, uv);');
    const drawn = counters['shading.fragmentsShaded']!;
    const helpers = counters['shading.helperLanes']!;
    expect(helpers).toBeGreaterThan(50);
    expect(lines).toEqual([drawn, drawn, drawn + helpers, drawn + helpers]);
  });

  it('with an explicit level read only with the policy all', async () => {
    const { lines, counters } = await linesByPolicy('o_color = textureLod(u_texture, uv, 0.0);');
    const drawn = counters['shading.fragmentsShaded']!;
    expect(lines).toEqual([drawn, drawn, drawn, drawn + counters['shading.helperLanes']!]);
  });

  it('read what the level of another lookup needs', async () => {
    // The second lookup reads the line of the first again, in a request of its own.
    const { lines, counters } = await linesByPolicy(
      `vec4 first = textureLod(u_texture, uv, 0.0);
       o_color = texture(u_texture, uv + floor(first.xy * 0.5));`,
    );
    const drawn = 2 * counters['shading.fragmentsShaded']!;
    const helpers = counters['shading.helperLanes']!;
    expect(lines).toEqual([drawn, drawn + helpers, drawn + helpers, drawn + 2 * helpers]);
  });

  it('include lanes that discarded, unless no lane of the quad draws', async () => {
    // Of each quad of even x, three lanes discard. Quads of odd x discard wholly.
    const { lines, counters } = await linesByPolicy(
      `vec2 cell = floor(gl_FragCoord.xy);
       if (mod(cell.x, 4.0) != 0.0 || mod(cell.y, 2.0) != 0.0) discard;
       o_color = textureLod(u_texture, uv, 0.0);`,
    );
    const drawn = counters['output.fragmentsWritten']!;
    expect(lines.slice(0, 3)).toEqual([drawn, drawn, drawn]);
    expect(lines[3]).toBe(4 * drawn);
  });
});
