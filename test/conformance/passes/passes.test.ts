/**
 * Frames with several passes: render to texture, targets that later passes load, and the reported
 * figures.
 */

import {
  type Draw,
  defaultPipelineState,
  type Frame,
  type Pass,
  type PipelineState,
  type ProgramSource,
  type SamplerState,
  sha256Hex,
  type TextureResource,
  type UniformValue,
} from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { DrawnImage } from '../scene/draw-scene.ts';

/** Odd sizes, so that quads are cut at the edges, and more than one fine bin. */
const WIDTH = 205;
const HEIGHT = 131;

/** A rectangle in device coordinates at a depth. */
const RECTANGLE = `#version 300 es
uniform vec4 rect;
uniform float z;
void main() {
  gl_Position = vec4(gl_VertexID % 2 == 0 ? rect.x : rect.z, gl_VertexID < 2 ? rect.y : rect.w, z, 1.0);
}`;

function program(body: string): ProgramSource {
  const fragmentSource = `#version 300 es
precision highp float;
uniform vec4 color;
uniform vec2 size;
uniform sampler2D image;
out vec4 result;
void main() { ${body} }`;
  return { vertexSource: RECTANGLE, fragmentSource };
}

const PROGRAMS = {
  flat: program('result = color;'),
  /** Position of the fragment from the lower left, and whether y points up. */
  place: program('result = vec4(floor(gl_FragCoord.xy) / 255.0, dFdy(gl_FragCoord.y), 1.0);'),
  checker: program(
    'result = vec4(vec3(mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0)), 1.0);',
  ),
  copy: program('result = texture(image, gl_FragCoord.xy / size);'),
  smallest: program('result = textureLod(image, vec2(0.5), 20.0);'),
} as const;

const NEAREST: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'nearest',
};

type Rectangle = readonly [left: number, bottom: number, right: number, top: number];

interface Fill {
  readonly with: keyof typeof PROGRAMS;
  readonly rect?: Rectangle;
  readonly z?: number;
  readonly color?: readonly [number, number, number, number];
  readonly image?: number;
  readonly state?: Partial<PipelineState>;
}

/**
 * Returns a rectangle over the whole target or a part of it. Both targets are `WIDTH` × `HEIGHT`.
 */
function fill({ with: name, rect = [-1, -1, 1, 1], z = 0, color, image, state }: Fill): Draw {
  const uniforms: Record<string, UniformValue> = { rect, z: [z], size: [WIDTH, HEIGHT] };
  if (color !== undefined) uniforms.color = color;
  return {
    programIndex: Object.keys(PROGRAMS).indexOf(name),
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {},
    uniforms,
    textures: image === undefined ? {} : { image: { textureIndex: image, sampler: NEAREST } },
    state: { ...defaultPipelineState(WIDTH, HEIGHT), cullMode: 'back', ...state },
  };
}

function drawable(number: number, isMipmapGenerated = false): TextureResource {
  const sha256 = sha256Hex(new TextEncoder().encode(`texture ${number}`));
  const size = { widthPx: WIDTH, heightPx: HEIGHT };
  return { sha256, format: 'rgba8unorm', ...size, levels: [], isMipmapGenerated };
}

type ScenePass = Pick<Pass, 'target' | 'loads'> & { readonly fills: readonly Fill[] };

function makeFrame(
  passes: readonly ScenePass[],
  textures: readonly TextureResource[] = [drawable(0)],
): Frame {
  return {
    widthPx: WIDTH,
    heightPx: HEIGHT,
    buffers: [],
    textures,
    programs: Object.values(PROGRAMS),
    passes: passes.map(({ fills, ...pass }) => ({
      ...pass,
      clear: { color: [0, 0, 0, 1], depth: 1, stencil: 0 },
      draws: fills.map(fill),
    })),
  };
}

const INTO = [0, 1].map((textureIndex) => ({ kind: 'texture', textureIndex }) as const);
const RED = [1, 0, 0, 1] as const;
const GREEN = [0, 1, 0, 1] as const;
const BLUE = [0, 0, 1, 1] as const;
const RED_BYTES = [255, 0, 0, 255];
const GREEN_BYTES = [0, 255, 0, 255];
const BLUE_BYTES = [0, 0, 255, 255];
const LEFT: Rectangle = [-1, -1, 0, 1];
const BOTTOM: Rectangle = [-1, -1, 1, 0];

const DEPTH_TESTED: Partial<PipelineState> = {
  depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
};
function stencilState(compare: 'always' | 'equal'): Partial<PipelineState> {
  const { front } = defaultPipelineState(WIDTH, HEIGHT).stencil;
  const face = { ...front, compare, reference: 7, onPass: 'replace' } as const;
  return { stencil: { isTestEnabled: true, front: face, back: face } };
}

const OPTIONS: RenderOptions = {
  policy: 'dynamic',
  grid: { kind: 'bins', count: 6 },
  visibilityShader: 'minimal',
};

async function render(frame: Frame, chipletCount = 2, options = {}): Promise<DrawnImage> {
  const rendered = await new LocalGpu({ chipletCount }).render(frame, { ...OPTIONS, ...options });
  return new DrawnImage(rendered.image, rendered.report);
}

describe('a pass into a texture', () => {
  it('is the right way up: t = 0 is the row where gl_FragCoord.y is ½', async () => {
    const image = await render(
      makeFrame([
        { target: INTO[0], fills: [{ with: 'place' }] },
        { fills: [{ with: 'copy', image: 0 }] },
      ]),
    );
    for (const x of [0, 1, 63, 64, 100, WIDTH - 1]) {
      for (const y of [0, 1, 63, 64, HEIGHT - 1]) {
        expect(image.pixel(x, y)).toEqual([x, HEIGHT - 1 - y, 255, 255]);
      }
    }
  });

  it('has winding, viewport and scissor as the screen has', async () => {
    const size = { width: WIDTH, height: HEIGHT };
    const fills: Fill[] = [
      { with: 'flat', color: RED, rect: BOTTOM },
      { with: 'flat', color: GREEN, state: { cullMode: 'front' } },
      { with: 'flat', color: BLUE, state: { scissor: { x: 10, y: 20, width: 5, height: 3 } } },
      { with: 'flat', color: BLUE, state: { viewport: { x: 100, y: 30, width: 4, height: 4 } } },
      {
        with: 'flat',
        color: BLUE,
        rect: [0.5, 0.5, 2, 2],
        state: { viewport: { x: 0, y: 0, ...size } },
      },
    ];
    const direct = await render(makeFrame([{ fills }]));
    const throughTexture = await render(
      makeFrame([{ target: INTO[0], fills }, { fills: [{ with: 'copy', image: 0 }] }]),
    );
    expect(direct.pixel(0, HEIGHT - 1)).toEqual(RED_BYTES);
    expect(direct.pixel(12, 21)).toEqual(BLUE_BYTES);
    expect(throughTexture.report.image.sha256).toBe(direct.report.image.sha256);
  });

  it('generates the levels of its texture again', async () => {
    const clearGray = await render(
      makeFrame(
        [
          { target: INTO[0], fills: [{ with: 'flat', color: RED }] },
          { fills: [{ with: 'smallest', image: 0, rect: LEFT }] },
          { target: INTO[0], fills: [{ with: 'checker' }] },
          { fills: [{ with: 'smallest', image: 0, rect: [0, -1, 1, 1] }], loads: ['color'] },
        ],
        [drawable(0, true)],
      ),
    );
    expect(clearGray.pixel(0, 0)).toEqual(RED_BYTES);
    const [red, green, blue] = clearGray.pixel(WIDTH - 1, 0);
    expect([green, blue]).toEqual([red, red]);
    expect(Math.abs(red - 127.5)).toBeLessThan(3);
  });

  it('loads the texels that the frame gives', async () => {
    const levels = [new Uint8Array(WIDTH * HEIGHT * 4)];
    levels[0]!.fill(255, 0, WIDTH * 4); // row 0 is the lowest
    const image = await render(
      makeFrame(
        [
          { target: INTO[0], loads: ['color'], fills: [{ with: 'flat', color: RED, rect: LEFT }] },
          { fills: [{ with: 'copy', image: 0 }] },
        ],
        [{ ...drawable(0), levels }],
      ),
    );
    expect(image.pixel(0, HEIGHT - 1)).toEqual(RED_BYTES);
    expect(image.pixel(WIDTH - 1, HEIGHT - 1)).toEqual([255, 255, 255, 255]);
    expect(image.pixel(WIDTH - 1, HEIGHT - 2)).toEqual([0, 0, 0, 0]);
  });

  it('samples the current contents of another texture', async () => {
    const image = await render(
      makeFrame(
        [
          { target: INTO[0], fills: [{ with: 'flat', color: RED }] },
          { target: INTO[1], fills: [{ with: 'copy', image: 0, rect: LEFT }] },
          { target: INTO[0], fills: [{ with: 'flat', color: GREEN }] },
          { target: INTO[1], loads: ['color'], fills: [{ with: 'copy', image: 0, rect: BOTTOM }] },
          { fills: [{ with: 'copy', image: 1 }] },
        ],
        [drawable(0), drawable(1)],
      ),
    );
    expect(image.pixel(0, 0)).toEqual(RED_BYTES);
    expect(image.pixel(0, HEIGHT - 1)).toEqual(GREEN_BYTES);
    expect(image.pixel(WIDTH - 1, 0)).toEqual([0, 0, 0, 255]);
  });
});

/** Screen, texture, screen: the last pass tests depth and stencil that the first one wrote. */
const BEFORE: readonly Fill[] = [
  { with: 'flat', color: RED, rect: LEFT, z: -0.5, state: DEPTH_TESTED },
  {
    with: 'flat',
    color: GREEN,
    rect: BOTTOM,
    z: 0,
    state: { ...DEPTH_TESTED, ...stencilState('always') },
  },
];
const AFTER: readonly Fill[] = [
  { with: 'copy', image: 0, z: 0.5, state: DEPTH_TESTED },
  { with: 'flat', color: RED, rect: [0.5, -1, 1, 1], state: stencilState('equal') },
];
const THREE_PASSES = makeFrame([
  { fills: BEFORE },
  { target: INTO[0], fills: [{ with: 'flat', color: BLUE }] },
  { fills: AFTER, loads: ['color', 'depth', 'stencil'] },
]);

describe('a pass that loads a target', () => {
  it('finds color, depth and stencil as they were', async () => {
    const image = await render(THREE_PASSES);
    expect(image.pixel(0, 0)).toEqual(RED_BYTES); // closer than the later rectangle
    expect(image.pixel(WIDTH - 60, 0)).toEqual(BLUE_BYTES); // nothing drawn before
    expect(image.pixel(WIDTH - 60, HEIGHT - 1)).toEqual(GREEN_BYTES);
    expect(image.pixel(WIDTH - 1, HEIGHT - 1)).toEqual(RED_BYTES); // stencil 7
    expect(image.pixel(WIDTH - 1, 0)).toEqual(BLUE_BYTES);
  });

  it('draws the same image as a single pass', async () => {
    const blue = new Uint8Array(WIDTH * HEIGHT * 4);
    for (let at = 0; at < blue.length; at += 4) blue.set(BLUE_BYTES, at);
    const onePass = makeFrame(
      [{ fills: [...BEFORE, ...AFTER] }],
      [{ ...drawable(1), levels: [blue] }],
    );
    const [one, three] = [await render(onePass), await render(THREE_PASSES)];
    expect(three.report.image.sha256).toBe(one.report.image.sha256);
  });

  it('clears what it does not load', async () => {
    const passes = THREE_PASSES.passes.map((pass, i) => (i === 2 ? { ...pass, loads: [] } : pass));
    const image = await render({ ...THREE_PASSES, passes });
    expect(image.pixel(0, 0)).toEqual(BLUE_BYTES);
    expect(image.pixel(WIDTH - 1, HEIGHT - 1)).toEqual(BLUE_BYTES);
  });
});

describe('the passes of a frame', () => {
  it('may leave a texture alone that holds nothing', async () => {
    const image = await render(makeFrame([{ fills: [{ with: 'flat', color: RED }] }]));
    expect(image.pixel(0, 0)).toEqual(RED_BYTES);
  });

  it.each(['functional', 'cycle'] as const)(
    'are the same on 1, 3 and 5 chiplets, timing %s',
    async (timing) => {
      const images = [];
      for (const count of [1, 3, 5]) images.push(await render(THREE_PASSES, count, { timing }));
      for (const { report } of images) {
        expect(report.image.sha256).toBe(images[0]!.report.image.sha256);
        expect(report.totals.fragments).toBe(images[0]!.report.totals.fragments);
      }
      const functional = await render(THREE_PASSES, 2, { grid: { kind: 'bins', count: 1 } });
      expect(images[0]!.report.image.sha256).toBe(functional.report.image.sha256);
    },
  );

  it('are reported one by one, with the bytes that they exchange', async () => {
    const { report } = await render(THREE_PASSES, 3);
    const pixelBytes = WIDTH * HEIGHT * 4;
    expect(report.passes.map((pass) => [pass.target, pass.textureIndex, pass.draws])).toEqual([
      ['screen', null, 2],
      ['texture', 0, 1],
      ['screen', null, 2],
    ]);
    // The texture, and the screen's color and depth with stencil.
    expect(report.passes.map(({ bytesExchanged }) => bytesExchanged)).toEqual([
      0,
      0,
      3 * pixelBytes,
    ]);
    expect(report.link.bytes).toBeGreaterThan(3 * pixelBytes);
    for (const [passIndex, { bins }] of report.passes.entries()) {
      const own = report.bins.filter((bin) => bin.passIndex === passIndex);
      expect(own).toHaveLength(bins);
      expect(own.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(WIDTH * HEIGHT);
    }
  });

  it('start an early bin when its inputs are complete', async () => {
    const visibilityShader = 'full';
    const visibilityStart = async (rendersEarlyBin: boolean) => {
      const visibilitySwitches = { rendersEarlyBin };
      const options = { timing: 'cycle', visibilityShader, visibilitySwitches } as const;
      // Phases of fewer primitives render no bin.
      const passes = THREE_PASSES.passes.map((pass, i) =>
        i < 2
          ? pass
          : { ...pass, draws: pass.draws.map((draw) => ({ ...draw, instanceCount: 400 })) },
      );
      const { report } = await render({ ...THREE_PASSES, passes }, 3, options);
      expect(report.visibility.earlyBins).toBe(rendersEarlyBin ? 1 : 0);
      const ends = report.passes.slice(0, 2).map(({ startCycle, cycles }) => startCycle! + cycles!);
      return { start: report.passes[2]!.startCycle!, complete: Math.max(...ends) };
    };
    const early = await visibilityStart(true);
    expect(early.start).toBeGreaterThanOrEqual(early.complete);
    const alone = await visibilityStart(false);
    expect(alone.start).toBeLessThan(alone.complete);
  });

  it('start to draw when their inputs are complete and have crossed the link', async () => {
    const { report } = await render(THREE_PASSES, 3, { timing: 'cycle' });
    const { latencyCycles, bytesPerCycle, transfers } = report.link;
    const exchangedCycles = latencyCycles + Math.ceil((3 * WIDTH * HEIGHT * 4) / bytesPerCycle);
    const [first, second, last] = report.passes.map(({ startCycle, cycles }, passIndex) => ({
      end: startCycle! + cycles!,
      bins: report.bins.filter((bin) => bin.passIndex === passIndex),
    }));
    const complete = Math.max(first!.end, second!.end);
    for (const { chiplet, startCycle } of last!.bins) {
      const arrival = chiplet === 0 ? 0 : exchangedCycles;
      expect(startCycle!).toBeGreaterThanOrEqual(complete + arrival);
    }
    // The first two passes are independent.
    expect(report.passes[1]!.startCycle!).toBeLessThan(first!.end);
    expect(transfers.targets).toMatchObject({ count: 1, bytes: 3 * WIDTH * HEIGHT * 4 });
    expect(report.totals.cycles).toBe(last!.end);
    for (const { busyCycles, idleCycles } of report.chiplets) {
      expect(busyCycles! + idleCycles!).toBe(last!.end);
    }
  });
});
