/** Work that the chiplets execute in the middle of a frame: transform feedback, uniform blocks. */
import { GL, type GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bindBuffer,
  bytesOf,
  drawSquare,
  makeContext,
  PLAIN,
  useProgram,
} from './testing/executed-context.ts';

const PRIMITIVES_WRITTEN = 0x8c88;

let gpu: FrameInParts;
beforeAll(() => {
  gpu = new FrameInParts(new LocalGpu());
});

describe('transform feedback', () => {
  const VERTEX = `layout(location = 0) in float at; uniform mat2 turn;
    out vec3 place; flat out ivec2 cell; out mat2 both[2];
    void main() {
      place = vec3(at, at * 2.0, float(gl_VertexID));
      cell = ivec2(gl_InstanceID, -gl_VertexID);
      both[0] = turn; both[1] = turn * at;
      gl_PointSize = 3.0;
      gl_Position = vec4(at, 0, 0, 7);
    }`;
  const FRAGMENT = 'in vec3 place; out vec4 color; void main() { color = vec4(place, 1); }';

  function setUp(varyings: readonly string[], isSeparate: boolean) {
    const { gl, messages } = makeContext(gpu);
    const program = useProgram(gl, VERTEX, FRAGMENT, varyings, isSeparate);
    gl.programs.setMatrix(gl.programs.uniformLocation(program, 'turn'), 2, 2, false, [1, 2, 3, 4]);
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 1.5, 2.5, 3.5, 4.5)));
    gl.vertexArrays.enable(0);
    gl.vertexArrays.setPointer(0, 1, GL.FLOAT, false, 0, 0);
    return { gl, messages, program };
  }

  const readFloats = (gl: GlContext, buffer: number): number[] => {
    gl.buffers.bind(0x8f36, buffer);
    const bytes = gl.buffers.read(0x8f36, 0, gl.buffers.bound(0x8f36)!.sizeBytes)!;
    return [...new Float32Array(bytes.buffer)];
  };
  const readInts = (gl: GlContext, buffer: number): number[] => [
    ...new Int32Array(Float32Array.from(readFloats(gl, buffer)).buffer),
  ];

  it('writes outputs interleaved to one buffer, complete primitives only', () => {
    const { gl, messages } = setUp(['gl_Position', 'place', 'both[1]', 'gl_PointSize'], false);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(12 * 4 * 5));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    const [query] = gl.queries.generate(1);
    gl.queries.begin(PRIMITIVES_WRITTEN, query!);
    gl.feedback.begin(GL.LINES);
    gl.draws.drawArrays(GL.LINES, 1, 3);
    gl.feedback.end();
    gl.queries.end(PRIMITIVES_WRITTEN);
    expect(messages).toEqual([]);
    expect(gl.queries.result(query!)).toBe(1);
    const vertex = (id: number, at: number) => [
      at,
      0,
      0,
      7,
      at,
      at * 2,
      id,
      at,
      2 * at,
      3 * at,
      4 * at,
      3,
    ];
    expect(readFloats(gl, target)).toEqual([
      ...vertex(1, 1.5),
      ...vertex(2, 2.5),
      ...new Array<number>(36).fill(0),
    ]);
  });

  it('leaves recorded draws to the end of the frame', () => {
    const frames: number[] = [];
    const { gl, messages } = makeContext(gpu, (passes) => frames.push(passes));
    useProgram(gl, VERTEX, FRAGMENT, ['place'], false);
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 1.5)));
    gl.vertexArrays.enable(0);
    gl.vertexArrays.setPointer(0, 1, GL.FLOAT, false, 0, 0);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(24));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.raster.setClearColor(1, 0, 0, 1);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    for (const first of [0, 1]) {
      gl.feedback.begin(GL.POINTS);
      gl.draws.drawArrays(GL.POINTS, first, 1);
      gl.feedback.end();
    }
    expect(readFloats(gl, target).slice(0, 3)).toEqual([1.5, 3, 1]);
    expect(frames).toEqual([1, 1]);
    const { passes } = gl.frames.take();
    expect(passes.map(({ target: kind, draws }) => [kind, draws.length])).toEqual([[undefined, 2]]);
    expect(messages).toEqual([]);
  });

  it('writes outputs of GLSL ES 1.00 shaders', () => {
    const { gl, messages } = makeContext(gpu);
    const program = gl.programs.create();
    for (const [type, source] of [
      [
        GL.VERTEX_SHADER,
        'attribute float at; uniform sampler2D map; varying vec2 place;\nvoid main() { place = texture2D(map, vec2(at)).xw + at; gl_Position = vec4(at); }',
      ],
      [GL.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1); }'],
    ] as const) {
      const shader = gl.shaders.create(type);
      gl.shaders.setSource(shader, source);
      gl.shaders.compile(shader);
      gl.programs.attach(program, shader);
    }
    gl.programs.setFeedback(program, ['place'], false);
    gl.programs.link(program);
    gl.programs.use(program);
    const at = gl.programs.attributeLocation(program, 'at');
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 0.25)));
    gl.vertexArrays.enable(at);
    gl.vertexArrays.setPointer(at, 1, GL.FLOAT, false, 0, 0);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(16));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.feedback.begin(GL.POINTS);
    gl.draws.drawArrays(GL.POINTS, 0, 2);
    gl.feedback.end();
    expect(messages).toEqual([]);
    expect(readFloats(gl, target)).toEqual([0.5, 1.5, 0.25, 1.25]);
  });

  it('writes each output to its own buffer, by instance and by draw', () => {
    const { gl, messages } = setUp(['cell', 'place'], true);
    const cells = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(2 * 4 * 5));
    const places = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(3 * 4 * 5));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, cells);
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 1, places);
    gl.capabilities.enable(GL.RASTERIZER_DISCARD);
    gl.feedback.begin(GL.POINTS);
    gl.draws.drawArrays(GL.POINTS, 0, 2, 2);
    gl.feedback.pause();
    gl.draws.drawArrays(GL.POINTS, 0, 2);
    gl.feedback.resume();
    gl.draws.drawArrays(GL.POINTS, 4, 1);
    gl.feedback.end();
    expect(messages).toEqual([]);
    gl.buffers.bind(0x8f36, cells);
    const bytes = gl.buffers.read(0x8f36, 0, 40)!;
    expect([...new Int32Array(bytes.buffer)]).toEqual([0, 0, 0, -1, 1, 0, 1, -1, 0, -4]);
    expect(readFloats(gl, places)).toEqual([0.5, 1, 0, 1.5, 3, 1, 0.5, 1, 0, 1.5, 3, 1, 4.5, 9, 4]);
    expect(readInts(gl, places)).toHaveLength(15);
  });

  it('rejects small buffers, other modes, and indices', () => {
    const { gl } = setUp(['place'], false);
    gl.feedback.begin(GL.POINTS);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(12));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.feedback.begin(GL.POINTS);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    gl.draws.drawArrays(GL.POINTS, 0, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.programs.use(0);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.feedback.end();
    gl.feedback.end();
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });

  it.each([
    ['an unknown output', ['none'], false, 'none is no output'],
    ['the same output twice', ['place', 'place'], false, 'there twice'],
    ['too much for a buffer of its own', ['both'], true, 'more than 4 components'],
  ] as const)('does not link with %s', (_what, varyings, isSeparate, message) => {
    const { gl, program } = setUp([], false);
    gl.programs.setFeedback(program, varyings, isSeparate);
    gl.programs.link(program);
    expect(gl.programs.find('', program)!.log).toMatch(message);
  });

  it('captures many vertices, in rows of the capture target', () => {
    const { gl, messages } = makeContext(gpu);
    useProgram(
      gl,
      'out float id; void main() { id = float(gl_VertexID); gl_Position = vec4(0); }',
      'out vec4 color; void main() { color = vec4(1); }',
      ['id'],
    );
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(4 * 3000));
    gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.feedback.begin(GL.TRIANGLES);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3000);
    gl.feedback.end();
    expect(messages).toEqual([]);
    expect(readFloats(gl, target)).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });
});

describe('outputs', () => {
  it.each([
    ['float', 'out vec4 color; void main() { color = vec4(1); }', 0x8d70],
    ['int', 'out highp ivec4 color; void main() { color = ivec4(1); }', GL.RGBA8],
    ['uint', 'out highp uvec4 color; void main() { color = uvec4(1); }', 0x8d82],
  ] as const)(
    'of %s cannot be written to color buffers of another kind',
    (_type, fragment, internalFormat) => {
      const { gl } = makeContext(gpu);
      useProgram(gl, PLAIN[0], fragment);
      const [texture] = gl.textures.generate(1);
      gl.textures.bind(GL.TEXTURE_2D, texture!);
      gl.textures.uploads.storage(GL.TEXTURE_2D, 1, internalFormat, 4, 4);
      const [framebuffer] = gl.framebuffers.generate(1);
      gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer!);
      gl.framebuffers.attachTexture(
        GL.FRAMEBUFFER,
        GL.COLOR_ATTACHMENT0,
        GL.TEXTURE_2D,
        texture!,
        0,
      );
      drawSquare(gl, 1, 0);
      expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
      gl.capabilities.enable(GL.RASTERIZER_DISCARD);
      drawSquare(gl, 1, 0);
      expect(gl.errors.take()).toBe(GL.NO_ERROR);
      gl.capabilities.disable(GL.RASTERIZER_DISCARD);
      gl.framebuffers.setDrawBuffers([0]);
      drawSquare(gl, 1, 0);
      expect(gl.errors.take()).toBe(GL.NO_ERROR);
    },
  );
});

describe('uniform blocks', () => {
  it('reach the shader from buffers', () => {
    const { gl, messages } = makeContext(gpu);
    const program = useProgram(
      gl,
      PLAIN[0],
      `layout(std140) uniform Scene { float unused; vec3 tint[2]; layout(row_major) mat2x3 turn; } scene[2];
       out vec4 color;
       void main() { color = vec4(scene[1].tint[1].xy + scene[1].turn[1].yz, scene[0].tint[0].z, 1); }`,
    );
    const floats = new Float32Array(128);
    floats.set([0, 0, 0, 0, 0, 0, 1], 0);
    // The rows of `turn` are at offsets 12, 16 and 20 of the second part.
    floats.set([0, 0, 0, 0, 9, 9, 9, 9, 0.25, 0.5, 9, 9, 9, 9, 9, 9, 9, 0.25, 9, 9, 9, 0.5], 64);
    const buffer = bindBuffer(gl, GL.UNIFORM_BUFFER, bytesOf(floats));
    gl.programs.bindBlock(program, gl.programs.blockIndex(program, 'Scene[1]'), 1);
    gl.buffers.bindIndexed(GL.UNIFORM_BUFFER, 0, buffer, 0, 96);
    gl.buffers.bindIndexed(GL.UNIFORM_BUFFER, 1, buffer, 256, 96);
    drawSquare(gl, 1, 0);
    expect(messages).toEqual([]);
    const { image } = gpu.render(gl.frames.take());
    expect([...image!.rgba.subarray(0, 4)]).toEqual([128, 255, 255, 255]);
  });
});
