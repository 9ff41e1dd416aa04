/** WebGL context of the state machine on a chiplet that renders synchronously, for tests. */

import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import {
  chooseCoarseBinGrid,
  DEFAULT_FRAME_LIMITS,
  type Frame,
  type Report,
  type Timing,
} from '@tessera/frame';
import {
  DEFAULT_DRAWING_BUFFER,
  type DrawingBufferAttributes,
  GL,
  GlContext,
  type GlDialect,
  reflectByCompiling,
} from '@tessera/gl';
import { SimulatedChiplet } from '@tessera/gpu';
import {
  accountTogether,
  type FrameRenderedNow,
  ProgramCache,
  prepareFrame,
  renderFrameNow,
} from '@tessera/multi-chiplet';

const chiplet = new SimulatedChiplet();
const programs = new ProgramCache();

/** Options of {@link ResidentContext}. */
export interface ContextOptions {
  readonly dialect?: GlDialect;
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly buffer?: Partial<DrawingBufferAttributes>;
  readonly timing?: Timing;
  readonly binCount?: number;
}

const VERTEX = `attribute vec2 corner;
varying vec2 at;
uniform vec4 rect;
uniform float z;
void main() { at = corner; gl_Position = vec4(mix(rect.xy, rect.zw, corner), z, 1.0); }`;

/** Context with shorthand methods for tests. */
export class ResidentContext {
  readonly gl: GlContext;
  readonly errors: number[] = [];
  readonly messages: string[] = [];
  /** Frames that were rendered in order to read their results. */
  readonly resolved: Frame[] = [];
  lastAccount: ReturnType<typeof accountTogether> | null = null;
  #parts: FrameRenderedNow[] = [];
  readonly #timing: Timing;
  readonly #binCount: number;
  readonly #programs = new Map<string, number>();

  constructor({
    dialect = 'webgl2',
    widthPx = 16,
    heightPx = 16,
    ...options
  }: ContextOptions = {}) {
    this.#timing = options.timing ?? 'functional';
    this.#binCount = options.binCount ?? 1;
    this.gl = new GlContext({
      dialect,
      widthPx,
      heightPx,
      reflection: reflectByCompiling(programs),
      onError: ({ message, code }) => {
        this.messages.push(message);
        this.errors.push(code);
      },
      renderer: (frame) => {
        this.resolved.push(frame);
        return this.#render(frame);
      },
      drawingBuffer: { ...DEFAULT_DRAWING_BUFFER, ...options.buffer },
    });
    const { gl } = this;
    const [corners = 0] = gl.buffers.generate(1);
    gl.buffers.bind(GL.ARRAY_BUFFER, corners);
    const places = Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1);
    gl.buffers.define(GL.ARRAY_BUFFER, new Uint8Array(places.buffer), GL.STATIC_DRAW);
    gl.vertexArrays.enable(0);
    gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
  }

  #render(frame: Frame): FrameRenderedNow {
    const wish = { kind: 'bins', count: this.#binCount } as const;
    const prepared = prepareFrame(frame, {
      grid: chooseCoarseBinGrid(wish, frame.widthPx, frame.heightPx, 1),
      visibilityShader: 'minimal',
      timing: this.#timing,
      programs,
      limits: { ...DEFAULT_FRAME_LIMITS, isScreenOptional: true },
    });
    const rendered = renderFrameNow(prepared, { chiplet });
    this.#parts.push(rendered);
    return rendered;
  }

  /**
   * Ends the frame and returns its image, top row first.
   *
   * @param isAdopted Whether the context adopts the rendered texture contents.
   */
  show(isAdopted = true): Uint8Array {
    const frame = this.gl.frames.take();
    const rendered = this.#render(frame);
    if (isAdopted) this.gl.frames.adopt(rendered.drawnTextures);
    if (isAdopted) this.gl.frames.adoptCounts(frame, rendered.passes);
    return rendered.image!.rgba;
  }

  /** Returns one report for everything that was rendered since the last report. */
  report(rgba: Uint8Array, chipletCount: number): Report {
    const { widthPx, heightPx } = this.gl.targets;
    const image = { widthPx, heightPx, rgba };
    const wall = {
      prepareMs: 0,
      visibilityMs: 0,
      binsMs: 0,
      totalMs: 0,
      retriedBins: 0,
      checkedBins: 0,
    };
    const spec = summarizeSpec(DEFAULT_CHIPLET_SPEC);
    const gpu = { chipletCount, policy: 'dynamic', isVisibilityChipletRendering: true, spec };
    this.lastAccount = accountTogether(this.#parts, image, { ...gpu, wall });
    this.#parts = [];
    return this.lastAccount.report;
  }

  /**
   * Uses a program with `body` as its fragment shader, which can read `at`, `color`, `map` and
   * `cube`.
   */
  use(body: string, declarations = 'uniform sampler2D map;'): number {
    const { gl } = this;
    const fragment = `precision highp float;
varying vec2 at;
uniform vec4 color;
${declarations}
void main() { ${body} }`;
    let program = this.#programs.get(fragment);
    if (program === undefined) {
      program = gl.programs.create();
      gl.programs.bindLocation(program, 0, 'corner');
      for (const [type, source] of [
        [GL.VERTEX_SHADER, VERTEX],
        [GL.FRAGMENT_SHADER, fragment],
      ] as const) {
        const shader = gl.shaders.create(type);
        gl.shaders.setSource(shader, source);
        gl.shaders.compile(shader);
        gl.programs.attach(program, shader);
      }
      gl.programs.link(program);
      this.#programs.set(fragment, program);
    }
    gl.programs.use(program);
    return program;
  }

  /** Draws a rectangle in device coordinates. */
  fill(
    color: readonly [number, number, number, number],
    rect: readonly [number, number, number, number] = [-1, -1, 1, 1],
    z = 0,
  ): void {
    this.draw(this.use('gl_FragColor = color;'), { color, rect, z });
  }

  /** Draws the texture of unit 0 over a rectangle. */
  fillWithMap(rect: readonly [number, number, number, number] = [-1, -1, 1, 1]): void {
    this.draw(this.use('gl_FragColor = texture2D(map, at);'), { rect });
  }

  draw(
    program: number,
    values: {
      readonly color?: readonly number[];
      readonly rect?: readonly number[];
      readonly z?: number;
    },
  ): void {
    const { gl } = this;
    const { color = [0, 0, 0, 0], rect = [-1, -1, 1, 1], z = 0 } = values;
    gl.programs.setFloats(gl.programs.uniformLocation(program, 'rect'), 4, rect);
    gl.programs.setFloats(gl.programs.uniformLocation(program, 'z'), 1, [z]);
    const place = gl.programs.uniformLocation(program, 'color');
    if (place >= 0) gl.programs.setFloats(place, 4, color);
    gl.draws.drawArrays(GL.TRIANGLE_STRIP, 0, 4);
  }

  clear(
    color: readonly [number, number, number, number],
    mask: number = GL.COLOR_BUFFER_BIT,
  ): void {
    this.gl.raster.setClearColor(...color);
    this.gl.clears.clear(mask);
  }

  /** Creates a texture with these texels in level 0, sampled without filtering. */
  texture(
    widthPx: number,
    heightPx: number,
    bytes: Uint8Array | null = null,
    [internalFormat, format, type]: readonly [number, number, number] = [
      GL.RGBA,
      GL.RGBA,
      GL.UNSIGNED_BYTE,
    ],
  ): number {
    const { gl } = this;
    const [name = 0] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, name);
    const place = { target: GL.TEXTURE_2D, level: 0, widthPx, heightPx };
    gl.textures.uploads.image(internalFormat, { ...place, format, type, bytes });
    for (const parameter of [GL.TEXTURE_MIN_FILTER, GL.TEXTURE_MAG_FILTER]) {
      gl.textures.setParameter(GL.TEXTURE_2D, parameter, GL.NEAREST);
    }
    for (const parameter of [GL.TEXTURE_WRAP_S, GL.TEXTURE_WRAP_T]) {
      gl.textures.setParameter(GL.TEXTURE_2D, parameter, GL.CLAMP_TO_EDGE);
    }
    return name;
  }

  /** Creates and binds a framebuffer with a texture as its color attachment. */
  framebuffer(texture: number, level = 0, textureTarget: number = GL.TEXTURE_2D): number {
    const { gl } = this;
    const [name = 0] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, name);
    gl.framebuffers.attachTexture(
      GL.FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0,
      textureTarget,
      texture,
      level,
    );
    return name;
  }

  /** Returns the RGBA bytes of a rectangle. */
  read(x = 0, y = 0, width = 1, height = 1): number[] {
    const bytes = new Uint8Array(width * height * 4);
    this.gl.reads.read(x, y, width, height, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
    return [...bytes];
  }
}
