import { createHash } from 'node:crypto';
import {
  type Frame,
  type HashParts,
  toNativeJson,
  toReferencingNativeJson,
  validateFrame,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { decodeNativeFrame, encodeNativeFrame, parseNativeFrame } from './native-frame.ts';

/** The minimal fields of a triangle. */
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

const hashParts: HashParts = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

function parse(value: unknown): Frame {
  return parseNativeFrame(Buffer.from(JSON.stringify(value)));
}

/** Returns the triangle with some fields of its draw replaced. */
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
    const queried = {
      ...frame,
      passes: [{ ...frame.passes[0]!, queries: [{ firstDraw: 0, drawCount: 1 }] }],
    };
    expect(parseNativeFrame(Buffer.from(toNativeJson(queried)))).toEqual(queried);
    expect(decodeNativeFrame(encodeNativeFrame(queried))).toEqual(queried);
    expect(decodeNativeFrame(encodeNativeFrame(frame))).toEqual(frame);
    expect(parseNativeFrame(Buffer.from(toNativeJson(frame)))).toEqual(frame);
    const other = parse({ ...TRIANGLE, textures: [{ ...texture, format: 'rgba8unorm-srgb' }] });
    expect(other.textures[0]!.sha256).not.toBe(frame.textures[0]!.sha256);
  });

  it('name bulk by hash, omit initial state, and decode to the same frame', () => {
    const read = parse({
      ...(withDraw({
        state: { depth: { isTestEnabled: true }, scissor: { x: 1, y: 2, width: 3, height: 4 } },
        textures: { image: { textureIndex: 0, sampler: { wrapS: 'clamp-to-edge' } } },
      }) as object),
      textures: [
        { format: 'rgba8unorm', widthPx: 1, heightPx: 1, levels: ['AQIDBA=='] },
        { format: 'rgba8unorm', widthPx: 4, heightPx: 4 },
      ],
    });
    const [pass] = read.passes;
    const uniforms = {
      odd: Float32Array.of(-0, Number.NaN, Number.POSITIVE_INFINITY, 0.1),
      whole: Int32Array.of(-3),
      many: new Uint32Array(3).fill(4_000_000_000),
      list: [0.1, 2],
    };
    const frame = { ...read, passes: [{ ...pass!, draws: [{ ...pass!.draws[0]!, uniforms }] }] };
    const { json, contents } = toReferencingNativeJson(frame, hashParts);
    expect(contents.size).toBe(4);
    expect(json).not.toContain('less');
    const again = parseNativeFrame(Buffer.from(json), (sha256) => contents.get(sha256)!);
    const whole = { ...uniforms, whole: [-3] };
    expect(again).toEqual({
      ...frame,
      passes: [{ ...frame.passes[0], draws: [{ ...frame.passes[0]!.draws[0], uniforms: whole }] }],
    });
    expect(Object.is((again.passes[0]!.draws[0]!.uniforms.odd as Float32Array)[0], -0)).toBe(true);
    expect(() => parseNativeFrame(Buffer.from(json))).toThrow(
      'buffers[0]: a resource is named by hash',
    );
  });

  it.each([
    ['no object', 7, 'frame: number is not an object'],
    ['no size', { ...TRIANGLE, widthPx: undefined }, 'widthPx: missing: a number'],
    ['another version', { ...TRIANGLE, version: 2 }, 'version: 2 is not supported; use 1'],
    ['an unknown field', { ...TRIANGLE, depth: 1 }, "frame: unknown field 'depth'"],
    ['invalid Base64', { ...TRIANGLE, buffers: ['*'] }, 'buffers[0]: the text is not Base64'],
    ['an unknown name', withDraw({ topology: 'quads' }), 'draws[0].topology: "quads" is not'],
    [
      'a string for a number',
      withDraw({ count: '3' }),
      'passes[0].draws[0].count: "3" is not a number',
    ],
    ['unknown state', withDraw({ state: { fog: true } }), "draws[0].state: unknown field 'fog'"],
    [
      'a flag as number',
      withDraw({ state: { depth: { isTestEnabled: 1 } } }),
      'depth.isTestEnabled',
    ],
    [
      'incomplete words',
      withDraw({ uniforms: { a: { float32: 'AAA=' } } }),
      'uniforms.a: expected',
    ],
    ['no hash', { ...TRIANGLE, buffers: [{ sha256: 'abc' }] }, 'buffers[0].sha256: not 64'],
    [
      'a short list',
      withDraw({ state: { colorMask: [true] } }),
      'colorMask: 1 entries instead of 4',
    ],
    ['a number as attribute', withDraw({ attributes: { at: 1 } }), 'attributes.at: number'],
    ['a null pass', { ...TRIANGLE, passes: [null] }, 'passes[0]: null is not an object'],
  ])('refuse %s, naming the place', (_what, value, place) => {
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: 'FRAME_INVALID', message: expect.stringContaining(place) }),
    );
  });

  it('reject bytes that are neither', () => {
    const noise = Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff);
    expect(() => decodeNativeFrame(noise)).toThrow('frame: not MessagePack');
    expect(() => parseNativeFrame(noise)).toThrow('frame: not JSON');
  });
});
