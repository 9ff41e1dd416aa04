/** What the state machine asks of the chiplet in the middle of a frame: queries, transform feedback, blocks. */
import { GL, GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { beforeAll, describe, expect, it } from 'vitest';
import { createShaderReflection } from './compiler/shader-reflection.ts';

const ANY_SAMPLES_PASSED = 0x8c2f;
const PRIMITIVES_WRITTEN = 0x8c88;

/** @param noteFrame Told how many passes a frame has that is rendered before the end. */
function makeContext(gpu: FrameInParts, noteFrame: (passCount: number) => void = () => {}) {
  const messages: string[] = [];
  const reflection = createShaderReflection({
    version: 2,
    extensions: new Set(),
    compile: (source) => gpu.programs.compile(source),
  });
  const gl = new GlContext({
    dialect: 'webgl2',
    widthPx: 16,
    heightPx: 16,
    reflection,
    renderer: (frame) => {
      noteFrame(frame.passes.length);
      return gpu.render(frame);
    },
    onError: ({ message }) => messages.push(message),
  });
  gl.pixelStorei(GL.UNPACK_ALIGNMENT, 1);
  return { gl, messages };
}

const bytesOf = (view: ArrayBufferView) =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Links and uses a program; gives its name. */
function useProgram(
  gl: GlContext,
  vertexSource: string,
  fragmentSource: string,
  feedback: readonly string[] = [],
  isSeparate = false,
): number {
  const program = gl.createProgram();
  for (const [type, source] of [
    [GL.VERTEX_SHADER, vertexSource],
    [GL.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, feedback, isSeparate);
  gl.linkProgram(program);
  expect(gl.programs.find('', program)!.log).toBe('');
  gl.useProgram(program);
  return program;
}

function bindBuffer(gl: GlContext, target: number, bytes: Uint8Array): number {
  const [name] = gl.genBuffers(1);
  gl.bindBuffer(target, name!);
  gl.bufferData(target, bytes, GL.STATIC_DRAW);
  return name!;
}

/** A square of `halfSize` around the middle, at `depth`, to attribute 0. */
function drawSquare(gl: GlContext, halfSize: number, depth: number): void {
  const [a, b] = [-halfSize, halfSize];
  const corners = Float32Array.of(a, a, depth, b, a, depth, a, b, depth, b, b, depth);
  bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(corners));
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, GL.FLOAT, false, 0, 0);
  gl.drawArrays(GL.TRIANGLE_STRIP, 0, 4);
}

const PLAIN = [
  'layout(location = 0) in vec3 at; void main() { gl_Position = vec4(at, 1); }',
  'out vec4 color; void main() { color = vec4(1); }',
] as const;

let gpu: FrameInParts;
beforeAll(() => {
  gpu = new FrameInParts(new LocalGpu());
});

describe('queries of samples', () => {
  it('tell whether something was seen', () => {
    const { gl, messages } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    gl.enable(GL.DEPTH_TEST);
    gl.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    drawSquare(gl, 1, 0);
    const [seen, hidden, cleared] = gl.genQueries(3);
    gl.beginQuery(ANY_SAMPLES_PASSED, seen!);
    drawSquare(gl, 0.5, -0.5);
    gl.endQuery(ANY_SAMPLES_PASSED);
    gl.beginQuery(ANY_SAMPLES_PASSED, hidden!);
    drawSquare(gl, 0.9, 0.5);
    gl.endQuery(ANY_SAMPLES_PASSED);
    gl.beginQuery(ANY_SAMPLES_PASSED, cleared!);
    gl.enable(GL.SCISSOR_TEST);
    gl.scissor(0, 0, 4, 4);
    gl.clear(GL.COLOR_BUFFER_BIT);
    gl.endQuery(ANY_SAMPLES_PASSED);
    expect([seen, hidden, cleared].map((query) => gl.getQueryResult(query!))).toEqual([1, 0, 0]);
    expect(messages).toEqual([]);
  });

  it('count over the end of a frame', () => {
    const { gl } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    const [query] = gl.genQueries(1);
    gl.beginQuery(ANY_SAMPLES_PASSED, query!);
    drawSquare(gl, 1, 0);
    gl.takeFrame();
    gl.endQuery(ANY_SAMPLES_PASSED);
    expect(gl.getQueryResult(query!)).toBe(1);
  });

  it('are begun once at a time, and have a result when they are ended', () => {
    const { gl } = makeContext(gpu);
    const [one, other] = gl.genQueries(2);
    gl.beginQuery(ANY_SAMPLES_PASSED, one!);
    expect(gl.getQueryResult(one!)).toBeNull();
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.beginQuery(0x8d6a, other!);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.endQuery(ANY_SAMPLES_PASSED);
    gl.endQuery(ANY_SAMPLES_PASSED);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.beginQuery(PRIMITIVES_WRITTEN, one!);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
  });
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
    gl.uniformMatrix(gl.getUniformLocation(program, 'turn'), 2, 2, false, [1, 2, 3, 4]);
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 1.5, 2.5, 3.5, 4.5)));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 1, GL.FLOAT, false, 0, 0);
    return { gl, messages, program };
  }

  const readFloats = (gl: GlContext, buffer: number): number[] => {
    gl.bindBuffer(0x8f36, buffer);
    const bytes = gl.getBufferSubData(0x8f36, 0, gl.buffers.bound(0x8f36)!.sizeBytes)!;
    return [...new Float32Array(bytes.buffer)];
  };
  const readInts = (gl: GlContext, buffer: number): number[] => [
    ...new Int32Array(Float32Array.from(readFloats(gl, buffer)).buffer),
  ];

  it('writes outputs one behind the other into one buffer, whole primitives alone', () => {
    const { gl, messages } = setUp(['gl_Position', 'place', 'both[1]', 'gl_PointSize'], false);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(12 * 4 * 5));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    const [query] = gl.genQueries(1);
    gl.beginQuery(PRIMITIVES_WRITTEN, query!);
    gl.beginTransformFeedback(GL.LINES);
    gl.drawArrays(GL.LINES, 1, 3);
    gl.endTransformFeedback();
    gl.endQuery(PRIMITIVES_WRITTEN);
    expect(messages).toEqual([]);
    expect(gl.getQueryResult(query!)).toBe(1);
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

  it('leaves what is recorded to the end of the frame', () => {
    const frames: number[] = [];
    const { gl, messages } = makeContext(gpu, (passes) => frames.push(passes));
    useProgram(gl, VERTEX, FRAGMENT, ['place'], false);
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 1.5)));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 1, GL.FLOAT, false, 0, 0);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(24));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.clearColor(1, 0, 0, 1);
    gl.clear(GL.COLOR_BUFFER_BIT);
    for (const first of [0, 1]) {
      gl.beginTransformFeedback(GL.POINTS);
      gl.drawArrays(GL.POINTS, first, 1);
      gl.endTransformFeedback();
    }
    expect(readFloats(gl, target).slice(0, 3)).toEqual([1.5, 3, 1]);
    expect(frames).toEqual([1, 1]);
    const { passes } = gl.takeFrame();
    expect(passes.map(({ target: kind, draws }) => [kind, draws.length])).toEqual([[undefined, 2]]);
    expect(messages).toEqual([]);
  });

  it('writes what shaders of GLSL ES 1.00 put out', () => {
    const { gl, messages } = makeContext(gpu);
    const program = gl.createProgram();
    for (const [type, source] of [
      [
        GL.VERTEX_SHADER,
        'attribute float at; uniform sampler2D map; varying vec2 place;\nvoid main() { place = texture2D(map, vec2(at)).xw + at; gl_Position = vec4(at); }',
      ],
      [GL.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1); }'],
    ] as const) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.transformFeedbackVaryings(program, ['place'], false);
    gl.linkProgram(program);
    gl.useProgram(program);
    const at = gl.getAttribLocation(program, 'at');
    bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Float32Array.of(0.5, 0.25)));
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 1, GL.FLOAT, false, 0, 0);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(16));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.beginTransformFeedback(GL.POINTS);
    gl.drawArrays(GL.POINTS, 0, 2);
    gl.endTransformFeedback();
    expect(messages).toEqual([]);
    expect(readFloats(gl, target)).toEqual([0.5, 1.5, 0.25, 1.25]);
  });

  it('writes each output into its buffer, instance after instance, draw after draw', () => {
    const { gl, messages } = setUp(['cell', 'place'], true);
    const cells = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(2 * 4 * 5));
    const places = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(3 * 4 * 5));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, cells);
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 1, places);
    gl.enable(GL.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(GL.POINTS);
    gl.drawArrays(GL.POINTS, 0, 2, 2);
    gl.pauseTransformFeedback();
    gl.drawArrays(GL.POINTS, 0, 2);
    gl.resumeTransformFeedback();
    gl.drawArrays(GL.POINTS, 4, 1);
    gl.endTransformFeedback();
    expect(messages).toEqual([]);
    gl.bindBuffer(0x8f36, cells);
    const bytes = gl.getBufferSubData(0x8f36, 0, 40)!;
    expect([...new Int32Array(bytes.buffer)]).toEqual([0, 0, 0, -1, 1, 0, 1, -1, 0, -4]);
    expect(readFloats(gl, places)).toEqual([0.5, 1, 0, 1.5, 3, 1, 0.5, 1, 0, 1.5, 3, 1, 4.5, 9, 4]);
    expect(readInts(gl, places)).toHaveLength(15);
  });

  it('refuses buffers that are too small, other modes, and indices', () => {
    const { gl } = setUp(['place'], false);
    gl.beginTransformFeedback(GL.POINTS);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(12));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.beginTransformFeedback(GL.POINTS);
    expect(gl.getError()).toBe(GL.NO_ERROR);
    gl.drawArrays(GL.POINTS, 0, 2);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.useProgram(0);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.endTransformFeedback();
    gl.endTransformFeedback();
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
  });

  it.each([
    ['an unknown output', ['none'], false, 'none is no output'],
    ['the same output twice', ['place', 'place'], false, 'there twice'],
    ['too much for a buffer of its own', ['both'], true, 'more than 4 components'],
  ] as const)('does not link with %s', (_what, varyings, isSeparate, message) => {
    const { gl, program } = setUp([], false);
    gl.transformFeedbackVaryings(program, varyings, isSeparate);
    gl.linkProgram(program);
    expect(gl.programs.find('', program)!.log).toMatch(message);
  });

  it('captures many vertices, in rows of the target', () => {
    const { gl, messages } = makeContext(gpu);
    useProgram(
      gl,
      'out float id; void main() { id = float(gl_VertexID); gl_Position = vec4(0); }',
      'out vec4 color; void main() { color = vec4(1); }',
      ['id'],
    );
    const target = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(4 * 3000));
    gl.bindBufferBase(GL.TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.beginTransformFeedback(GL.TRIANGLES);
    gl.drawArrays(GL.TRIANGLES, 0, 3000);
    gl.endTransformFeedback();
    expect(messages).toEqual([]);
    expect(readFloats(gl, target)).toEqual(Array.from({ length: 3000 }, (_, i) => i));
  });
});

describe('outputs', () => {
  it.each([
    ['float', 'out vec4 color; void main() { color = vec4(1); }', 0x8d70],
    ['int', 'out highp ivec4 color; void main() { color = ivec4(1); }', GL.RGBA8],
    ['uint', 'out highp uvec4 color; void main() { color = uvec4(1); }', 0x8d82],
  ] as const)('of %s cannot go to colors of another kind', (_type, fragment, internalFormat) => {
    const { gl } = makeContext(gpu);
    useProgram(gl, PLAIN[0], fragment);
    const [texture] = gl.genTextures(1);
    gl.bindTexture(GL.TEXTURE_2D, texture!);
    gl.texStorage2D(GL.TEXTURE_2D, 1, internalFormat, 4, 4);
    const [framebuffer] = gl.genFramebuffers(1);
    gl.bindFramebuffer(GL.FRAMEBUFFER, framebuffer!);
    gl.framebufferTexture2D(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture!, 0);
    drawSquare(gl, 1, 0);
    expect(gl.getError()).toBe(GL.INVALID_OPERATION);
    gl.enable(GL.RASTERIZER_DISCARD);
    drawSquare(gl, 1, 0);
    expect(gl.getError()).toBe(GL.NO_ERROR);
    gl.disable(GL.RASTERIZER_DISCARD);
    gl.drawBuffers([0]);
    drawSquare(gl, 1, 0);
    expect(gl.getError()).toBe(GL.NO_ERROR);
  });
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
    // Rows of `turn` stand at 12, 16 and 20 of the second part.
    floats.set([0, 0, 0, 0, 9, 9, 9, 9, 0.25, 0.5, 9, 9, 9, 9, 9, 9, 9, 0.25, 9, 9, 9, 0.5], 64);
    const buffer = bindBuffer(gl, GL.UNIFORM_BUFFER, bytesOf(floats));
    gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'Scene[1]'), 1);
    gl.bindBufferRange(GL.UNIFORM_BUFFER, 0, buffer, 0, 96);
    gl.bindBufferRange(GL.UNIFORM_BUFFER, 1, buffer, 256, 96);
    drawSquare(gl, 1, 0);
    expect(messages).toEqual([]);
    const { image } = gpu.render(gl.takeFrame());
    expect([...image!.rgba.subarray(0, 4)]).toEqual([128, 255, 255, 255]);
  });
});
