import { describe, expect, it } from 'vitest';
import { RenderError } from './errors.ts';
import type { AttributeSource, Draw, Frame, Pass, TargetCopy } from './frame.ts';
import { defaultPipelineState } from './pipeline-state.ts';
import type { TextureResource } from './resources.ts';
import { DEFAULT_FRAME_LIMITS, validateFrame } from './validate-frame.ts';

const POSITION: AttributeSource = {
  kind: 'buffer',
  bufferIndex: 0,
  offsetBytes: 0,
  strideBytes: 12,
  componentType: 'float32',
  componentCount: 3,
  isNormalized: false,
  instanceDivisor: 0,
};

const TEXTURE: TextureResource = {
  sha256: 'b'.repeat(64),
  format: 'rgba8unorm',
  widthPx: 4,
  heightPx: 2,
  levels: [new Uint8Array(32)],
  isMipmapGenerated: true,
};

/** Returns a frame with four vertices in buffer 0 and six 16-bit indices in buffer 1. */
function makeFrame(change: { draw?: Partial<Draw>; frame?: Partial<Frame> } = {}): Frame {
  const draw: Draw = {
    programIndex: 0,
    topology: 'triangles',
    first: 0,
    count: 6,
    indices: { bufferIndex: 1, offsetBytes: 0, componentType: 'uint16' },
    instanceCount: 1,
    attributes: { position: POSITION },
    uniforms: { color: [1, 0, 0, 1] },
    textures: {},
    state: defaultPipelineState(64, 64),
    ...change.draw,
  };
  return {
    widthPx: 64,
    heightPx: 64,
    buffers: [
      { sha256: 'a'.repeat(64), bytes: new Uint8Array(48) },
      { sha256: 'c'.repeat(64), bytes: new Uint8Array(Uint16Array.of(0, 1, 2, 2, 1, 3).buffer) },
    ],
    textures: [TEXTURE],
    programs: [{ vertexSource: '', fragmentSource: '' }],
    passes: [{ clear: { color: [0, 0, 0, 1], depth: 1, stencil: 0 }, draws: [draw] }],
    ...change.frame,
  };
}

const state = defaultPipelineState(64, 64);

const intoTexture = (textureIndex: number) => ({ kind: 'texture', textureIndex }) as const;
/** Texture 1 of {@link makePasses}. */
const INTO_TEXTURE = intoTexture(1);

const IMAGES = { kind: 'images', colors: [], depthStencil: null } as const;
/** A copy of a whole texture of 4 × 2 texels. */
const COPY: TargetCopy = {
  source: 0,
  sourceX: 0,
  sourceY: 0,
  widthPx: 4,
  heightPx: 2,
  into: { textureIndex: 0 },
  intoX: 0,
  intoY: 0,
};

const SAMPLES_TARGET: Draw = {
  ...makeFrame().passes[0]!.draws[0]!,
  textures: {
    image: {
      textureIndex: 1,
      sampler: {
        wrapS: 'repeat',
        wrapT: 'repeat',
        magFilter: 'nearest',
        minFilter: 'nearest',
        mipmapFilter: 'none',
      },
    },
  },
};

/**
 * Returns a frame with the given passes. Texture 0 has two levels, texture 1 is empty. Unless its
 * fields say otherwise, a pass is cleared and has no draws.
 */
function makePasses(
  passes: readonly Partial<Pass>[],
  target: Partial<TextureResource> = {},
): Frame {
  const clear = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;
  const levels = [new Uint8Array(32), new Uint8Array(8)];
  return makeFrame({
    frame: {
      textures: [
        { ...TEXTURE, levels, isMipmapGenerated: false },
        { ...TEXTURE, levels: [], ...target },
      ],
      passes: passes.map((pass) => ({ clear, draws: [], ...pass })),
    },
  });
}

const QUERY = { firstDraw: 0, drawCount: 1 };
const { draws: DRAWS } = makeFrame().passes[0]!;

describe('validateFrame', () => {
  it('accepts a frame whose last index and last byte are just inside', () => {
    expect(() => validateFrame(makeFrame())).not.toThrow();
  });

  it.each<[string, Frame, RegExp]>([
    ['no width', makeFrame({ frame: { widthPx: 0 } }), /^widthPx: 0 is not an integer from 1 to/],
    ['a fractional height', makeFrame({ frame: { heightPx: 1.5 } }), /^heightPx: 1.5/],
    [
      'an index buffer that ends early',
      makeFrame({ draw: { count: 7 } }),
      /draws\[0\]\.indices: indices 0 to 6 exceed buffer 1 \(6 indices\)/,
    ],
    [
      'an odd offset of 16-bit indices',
      makeFrame({ draw: { indices: { bufferIndex: 1, offsetBytes: 1, componentType: 'uint16' } } }),
      /offsetBytes: 1 is not a multiple of 2/,
    ],
    [
      'an index past the vertices',
      makeFrame({ draw: { attributes: { position: { ...POSITION, offsetBytes: 12 } } } }),
      /attributes\.position: element 3 ends at byte 60, past the end of buffer 0 \(48 bytes\)/,
    ],
    [
      'vertices past the buffer without indices',
      makeFrame({ draw: { indices: null } }),
      /element 5 ends at byte 72/,
    ],
    [
      'instances past the buffer',
      makeFrame({
        draw: { instanceCount: 9, attributes: { i: { ...POSITION, instanceDivisor: 2 } } },
      }),
      /element 4 ends at byte 60/,
    ],
    [
      'edge flags that end early',
      makeFrame({ draw: { edgeFlags: { bufferIndex: 1, offsetBytes: 11 } } }),
      /edgeFlags: flags end at byte 13, past the end of buffer 1 \(12 bytes\)/,
    ],
    ['a missing program', makeFrame({ draw: { programIndex: 1 } }), /programIndex: 1 is not/],
    ['a missing buffer', makeFrame({ frame: { buffers: [] } }), /indices\.bufferIndex/],
    [
      'a level of the wrong size',
      makeFrame({ frame: { textures: [{ ...TEXTURE, levels: [new Uint8Array(31)] }] } }),
      /^textures\[0\]\.levels\[0\]: 31 bytes instead of 32/,
    ],
    [
      'an anisotropy above the limit',
      makeFrame({
        draw: {
          textures: {
            image: {
              textureIndex: 0,
              sampler: { ...SAMPLES_TARGET.textures.image!.sampler, maxAnisotropy: 17 },
            },
          },
        },
      }),
      /sampler\.maxAnisotropy: 17 /,
    ],
    [
      'a texture whose stored blocks are larger than its texels',
      makeFrame({ frame: { textures: [{ ...TEXTURE, blockBytes: 128 }] } }),
      /^textures\[0\]\.blockBytes: 128 is not one of 8, 16, 32, 64 for rgba8unorm/,
    ],
    [
      'a texture whose stored blocks are too wide',
      makeFrame({ frame: { textures: [{ ...TEXTURE, blockBytes: 16, blockWidthPx: 13 }] } }),
      /^textures\[0\]\.blockWidthPx: 13 is not an integer from 4 to 12/,
    ],
    [
      'a texture whose stored blocks have a height and no size',
      makeFrame({ frame: { textures: [{ ...TEXTURE, blockHeightPx: 5 }] } }),
      /^textures\[0\]\.blockHeightPx: blockBytes is missing/,
    ],
    ['no passes', makeFrame({ frame: { passes: [] } }), /passes: no pass draws to the screen/],
    [
      'no pass to the screen',
      makePasses([{ target: INTO_TEXTURE }]),
      /no pass draws to the screen/,
    ],
    [
      'a target that is not there',
      makePasses([{ target: intoTexture(2) }, {}]),
      /2 is not one of the frame's 2 textures/,
    ],
    [
      'a target of another format',
      makePasses([{ target: INTO_TEXTURE }, {}], { format: 'rgb9e5ufloat' }),
      /passes\[0\]\.target: texture 1 is rgb9e5ufloat, which is not a color target/,
    ],
    [
      'a level that the target has not',
      makePasses([{ target: { ...INTO_TEXTURE, level: 1 } }, {}]),
      /passes\[0\]\.target\.level: 1 is not an integer from 0 to 0/,
    ],
    [
      'a slice that the target has not',
      makePasses([{ target: { ...INTO_TEXTURE, slice: 6 } }, {}], {
        dimension: 'cube',
        heightPx: TEXTURE.widthPx,
      }),
      /passes\[0\]\.target\.slice: 6 is not an integer from 0 to 5/,
    ],
    [
      'an image twice',
      makePasses([
        { target: { ...IMAGES, colors: [{ textureIndex: 1 }, { textureIndex: 1 }] } },
        {},
      ]),
      /passes\[0\]\.target: the same image is attached twice/,
    ],
    [
      'color as depth',
      makePasses([{ target: { ...IMAGES, depthStencil: { textureIndex: 1 } } }, {}]),
      /passes\[0\]\.target\.depthStencil: texture 1 is rgba8unorm, which is not a depth target/,
    ],
    [
      'a copy past the edge',
      makePasses([{ target: INTO_TEXTURE, copies: [{ ...COPY, sourceX: 1 }] }, {}]),
      /passes\[0\]\.copies\[0\]\.source along x: 1 is not an integer from 0 to 0/,
    ],
    [
      'a copy of depth that is not there',
      makePasses([
        {
          target: { ...IMAGES, colors: [{ textureIndex: 1 }] },
          copies: [{ ...COPY, source: 'depth-stencil' }],
        },
        {},
      ]),
      /passes\[0\]\.copies\[0\]\.source: the pass has no depth/,
    ],
    [
      'a copy between formats',
      makePasses([{ target: INTO_TEXTURE, copies: [COPY] }, {}], { format: 'rgba16float' }),
      /passes\[0\]\.copies\[0\]: rgba16float cannot be copied into rgba8unorm/,
    ],
    [
      'a cube that is not square',
      makePasses([{}], { dimension: 'cube', widthPx: 4, heightPx: 3, levelCount: 1 }),
      /textures\[1\]: cube faces must be square/,
    ],
    [
      'levels of a depth texture that would be generated',
      makePasses([{}], { format: 'depth24unorm-stencil8', isMipmapGenerated: true }),
      /textures\[1\]\.isMipmapGenerated: depth24unorm-stencil8 texels cannot be averaged/,
    ],
    [
      'textures that take too much memory',
      makePasses([{}], {
        dimension: '2d-array',
        widthPx: 8192,
        heightPx: 8192,
        sliceCount: 2048,
        levelCount: 1,
      }),
      /textures\[1\]: the textures exceed 2147483648 bytes/,
    ],
    [
      'a pass that samples its own target',
      makePasses([{ target: INTO_TEXTURE }, { target: INTO_TEXTURE, draws: [SAMPLES_TARGET] }, {}]),
      /passes\[1\]\.draws\[0\]\.textures\.image: texture 1 is the target of the pass/,
    ],
    [
      'a texture that nothing was drawn into yet',
      makePasses([{ draws: [SAMPLES_TARGET] }, { target: INTO_TEXTURE }]),
      /passes\[0\]\.draws\[0\]\.textures\.image: texture 1 is empty/,
    ],
    [
      'loading what no pass has left',
      makePasses([{ target: INTO_TEXTURE }, { loads: ['depth'] }]),
      /passes\[1\]\.loads: depth is loaded, but no earlier pass drew into this target/,
    ],
    [
      'loading something else',
      makePasses([{}, { loads: ['alpha' as 'color'] }]),
      /passes\[1\]\.loads: 'alpha' is not one of color, depth, stencil/,
    ],
    [
      'a query that begins after the last draw',
      makePasses([{ draws: DRAWS, queries: [{ firstDraw: 1, drawCount: 1 }] }]),
      /passes\[0\]\.queries\[0\]\.firstDraw: 1 is not an integer from 0 to 0/,
    ],
    [
      'a query past the last draw',
      makePasses([{ draws: DRAWS, queries: [QUERY, { firstDraw: 0, drawCount: 2 }] }]),
      /passes\[0\]\.queries\[1\]\.drawCount: 2 is not an integer from 1 to 1/,
    ],
    [
      'a query of a pass without draws',
      makePasses([{ queries: [QUERY] }]),
      /passes\[0\]\.queries\[0\]: the pass has no draws/,
    ],
    [
      'a query of no draw',
      makePasses([{ draws: DRAWS, queries: [{ firstDraw: 0, drawCount: 0 }] }]),
      /passes\[0\]\.queries\[0\]\.drawCount: 0 is not/,
    ],
    [
      'too many queries',
      makePasses([{ draws: DRAWS, queries: Array.from({ length: 4097 }, () => QUERY) }]),
      /passes\[0\]\.queries\.length: 4097 is not an integer from 0 to 4096/,
    ],
    [
      'an unknown blend factor',
      makeFrame({
        draw: {
          state: {
            ...state,
            blend: {
              ...state.blend,
              color: { ...state.blend.color, source: 'src2-color' as 'one' },
            },
          },
        },
      }),
      /state\.blend\.color\.source: 'src2-color' is not one of zero, one/,
    ],
    [
      'a viewport that is not finite',
      makeFrame({
        draw: { state: { ...state, viewport: { x: 0, y: 0, width: Number.NaN, height: 1 } } },
      }),
      /state\.viewport\.width: NaN/,
    ],
    [
      'a line that is too wide',
      makeFrame({ draw: { state: { ...state, lineWidthPx: 17 } } }),
      /state\.lineWidthPx: 17/,
    ],
  ])('refuses %s', (_name, frame, message) => {
    expect(() => validateFrame(frame)).toThrow(message);
    expect(() => validateFrame(frame)).toThrow(RenderError);
  });

  it('accepts passes that load a target and sample what was drawn', () => {
    const frame = makePasses([
      { target: INTO_TEXTURE },
      { draws: [SAMPLES_TARGET] },
      { target: INTO_TEXTURE, loads: ['color', 'depth'] },
      { draws: [SAMPLES_TARGET], loads: ['color', 'stencil'] },
    ]);
    expect(() => validateFrame(frame)).not.toThrow();
    expect(() => validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxPasses: 3 })).toThrow(
      /4 passes; at most 3/,
    );
    // Twice the screen and twice a texture of 4 × 2.
    const maxTargetPixels = 2 * (64 * 64 + 8);
    expect(() => validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxTargetPixels })).not.toThrow();
    expect(() =>
      validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxTargetPixels: maxTargetPixels - 1 }),
    ).toThrow(/passes\[3\]\.target: the targets of all passes exceed/);
  });

  it('counts the draws of all passes together', () => {
    const frame = makePasses([{ draws: DRAWS }, { draws: DRAWS }]);
    const maxDraws = 2 * DRAWS.length;
    expect(() => validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxDraws })).not.toThrow();
    expect(() => validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxDraws: maxDraws - 1 })).toThrow(
      /passes\[1\]\.draws: the frame has 2 draws or more; at most 1/,
    );
  });

  it('accepts transform feedback in a frame that is a part of another one', () => {
    const limits = { ...DEFAULT_FRAME_LIMITS, isScreenOptional: true };
    const feedback = { target: { kind: 'feedback' }, draws: DRAWS } as const;
    const strip = DRAWS.map((draw) => ({ ...draw, topology: 'triangle-strip' as const }));
    expect(() => validateFrame(makePasses([feedback]), limits)).not.toThrow();
    expect(() => validateFrame(makePasses([feedback, {}]))).toThrow(
      /passes\[0\]\.target: only a frame that is a part of another one/,
    );
    expect(() => validateFrame(makePasses([{ ...feedback, queries: [QUERY] }]), limits)).toThrow(
      /passes\[0\]: a pass of transform feedback has loads, copies or queries/,
    );
    expect(() => validateFrame(makePasses([{ ...feedback, draws: strip }]), limits)).toThrow(
      /draws\[0\]\.topology: 'triangle-strip' is not one of points, lines, triangles/,
    );
  });

  it('accepts queries that overlap, up to the limit of a pass', () => {
    const queries = Array.from({ length: 4096 }, () => QUERY);
    expect(() => validateFrame(makePasses([{ draws: DRAWS, queries }]))).not.toThrow();
  });

  it('refuses more primitives than the limit, instances included', () => {
    const frame = makeFrame({ draw: { instanceCount: 5 } });
    expect(() =>
      validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxPrimitives: 10 }),
    ).not.toThrow();
    expect(() => validateFrame(frame, { ...DEFAULT_FRAME_LIMITS, maxPrimitives: 9 })).toThrow(
      /exceeds 9 primitives/,
    );
  });
});
