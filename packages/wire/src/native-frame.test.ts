import { type Frame, toNativeJson, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { decodeNativeFrame, encodeNativeFrame, parseNativeFrame } from './native-frame.ts';

/** What one needs to write for a triangle. */
const TRIANGLE = {
  widthPx: 64,
  heightPx: 32,
  buffers: [new Uint8Array(Float32Array.of(0, 0, 1, 0, 0, 1).buffer).toBase64()],
  programs: [
    {
      vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
      fragmentSource: 'void main() { gl_FragColor = vec4(1.0); }',
    },
  ],
  passes: [
    {
      draws: [
        {
          programIndex: 0,
          count: 3,
          attributes: {
            at: { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 },
          },
        },
      ],
    },
  ],
};

function parse(value: unknown): Frame {
  return parseNativeFrame(Buffer.from(JSON.stringify(value)));
}

/** The triangle with one draw's field set. */
function withDraw(fields: object): unknown {
  const [pass] = TRIANGLE.passes;
  return { ...TRIANGLE, passes: [{ draws: [{ ...pass!.draws[0], ...fields }] }] };
}

describe('native frames', () => {
  it('have OpenGL’s initial state where nothing is said', () => {
    const frame = parse(TRIANGLE);
    validateFrame(frame);
    const [draw] = frame.passes[0]!.draws;
    expect(draw).toMatchObject({
      topology: 'triangles',
      first: 0,
      instanceCount: 1,
      indices: null,
    });
    expect(draw!.state.viewport).toEqual({ x: 0, y: 0, width: 64, height: 32 });
    expect(draw!.state).toMatchObject({ scissor: null, depth: { isTestEnabled: false } });
    expect(frame.buffers[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('change the state that they name and nothing beside it', () => {
    const frame = parse(
      withDraw({
        state: { depth: { isTestEnabled: true }, scissor: { x: 1, y: 2, width: 3, height: 4 } },
      }),
    );
    expect(frame.passes[0]!.draws[0]!.state).toMatchObject({
      scissor: { x: 1, y: 2, width: 3, height: 4 },
      depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
    });
  });

  it('are the same in MessagePack and JSON, there and back', () => {
    const texture = {
      format: 'rgba8unorm',
      widthPx: 1,
      heightPx: 1,
      levels: [Uint8Array.of(1, 2, 3, 4).toBase64()],
    };
    const frame = parse({
      ...(withDraw({
        uniforms: { scale: [1, 2], one: 1 },
        textures: { image: { textureIndex: 0, sampler: { wrapS: 'clamp-to-edge' } } },
      }) as object),
      textures: [texture],
    });
    validateFrame(frame);
    expect(decodeNativeFrame(encodeNativeFrame(frame))).toEqual(frame);
    expect(parseNativeFrame(Buffer.from(toNativeJson(frame)))).toEqual(frame);
    const other = parse({ ...TRIANGLE, textures: [{ ...texture, format: 'rgba8unorm-srgb' }] });
    expect(other.textures[0]!.sha256).not.toBe(frame.textures[0]!.sha256);
  });

  it.each([
    ['no object', 7, 'frame: number is not an object'],
    ['no size', { ...TRIANGLE, widthPx: undefined }, 'widthPx: missing: a number'],
    ['another version', { ...TRIANGLE, version: 2 }, 'version: 2; this service reads 1'],
    ['an unknown field', { ...TRIANGLE, depth: 1 }, "the field 'depth' is unknown"],
    ['no Base64', { ...TRIANGLE, buffers: ['*'] }, 'buffers[0]: no Base64'],
    ['a word that is none', withDraw({ topology: 'quads' }), 'draws[0].topology: "quads" is not'],
    [
      'a text for a number',
      withDraw({ count: '3' }),
      'passes[0].draws[0].count: "3" is not a number',
    ],
    ['unknown state', withDraw({ state: { fog: true } }), "draws[0].state: the field 'fog'"],
    [
      'a flag as number',
      withDraw({ state: { depth: { isTestEnabled: 1 } } }),
      'depth.isTestEnabled',
    ],
    ['a short list', withDraw({ state: { colorMask: [true] } }), 'colorMask: not 4 entries'],
    ['an attribute without form', withDraw({ attributes: { at: 1 } }), 'attributes.at: number'],
    ['passes that are none', { ...TRIANGLE, passes: [null] }, 'passes[0]: null is not an object'],
  ])('refuse %s, naming the place', (_what, value, place) => {
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: 'FRAME_INVALID', message: expect.stringContaining(place) }),
    );
  });

  it('refuse bytes that are neither', () => {
    const noise = Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff);
    expect(() => decodeNativeFrame(noise)).toThrow('frame: no MessagePack');
    expect(() => parseNativeFrame(noise)).toThrow('frame: no JSON');
  });
});
