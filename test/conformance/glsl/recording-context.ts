/** A shader created on the context. */

export interface RecordedShader {
  readonly stage: 'vertex' | 'fragment';
  source: string;
  isCompiled: boolean;
}

/** The two shaders of a linked program; a shader that was never attached is missing. */
export interface RecordedProgram {
  readonly vertex: RecordedShader | undefined;
  readonly fragment: RecordedShader | undefined;
}

/** Limits that pages adapt their shaders to. */
export interface ContextLimits {
  readonly maxVertexAttribs: number;
  readonly maxVertexUniformVectors: number;
  readonly maxFragmentUniformVectors: number;
  readonly maxVaryingVectors: number;
  readonly maxVertexTextureImageUnits: number;
  readonly maxTextureImageUnits: number;
  readonly maxCombinedTextureImageUnits: number;
}

/** Shaders and programs passed to the contexts of one page, in order. */
export interface Recording {
  readonly shaders: RecordedShader[];
  readonly programs: RecordedProgram[];
}

const CONSTANTS: Readonly<Record<string, number>> = {
  NONE: 0,
  NO_ERROR: 0,
  VERTEX_SHADER: 0x8b31,
  FRAGMENT_SHADER: 0x8b30,
};

/** Extensions that no current desktop browser has. */
const MISSING_EXTENSIONS: ReadonlySet<string> = new Set(['WEBGL_multisampled_render_to_texture']);

/** First value of constants whose actual value no page depends on. */
const FIRST_FREE_CONSTANT = 0x10000;

/**
 * Returns a WebGL 1 or 2 context that records to `recording` and does nothing else. Every compile
 * and link succeeds and every image is black.
 */
export function createRecordingContext(
  recording: Recording,
  limits: ContextLimits,
  widthPx: number,
  heightPx: number,
  glVersion: 1 | 2 = 1,
): object {
  const constants = new Map(Object.entries(CONSTANTS));
  const attached = new WeakMap<object, RecordedShader[]>();
  const constant = (name: string): number => {
    const value = constants.get(name) ?? FIRST_FREE_CONSTANT + constants.size;
    constants.set(name, value);
    return value;
  };
  const parameters = new Map<number, unknown>([
    [constant('VIEWPORT'), [0, 0, 1, 1]],
    [constant('SCISSOR_BOX'), [0, 0, 1, 1]],
    [constant('VERSION'), `WebGL ${glVersion}.0`],
    [constant('MAX_TEXTURE_SIZE'), 4096],
    [constant('MAX_CUBE_MAP_TEXTURE_SIZE'), 4096],
    [constant('MAX_SAMPLES'), 4],
  ]);
  for (const [name, value] of Object.entries(limits)) {
    const glName = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    parameters.set(constant(glName), value);
  }
  const own: Record<string, unknown> = {
    getExtension: (name: string) => (MISSING_EXTENSIONS.has(name) ? null : answerAll({}, constant)),
    // three.js requires this name.
    constructor: { name: glVersion === 2 ? 'WebGL2RenderingContext' : 'WebGLRenderingContext' },
    drawingBufferWidth: widthPx,
    drawingBufferHeight: heightPx,
    createShader(type: number): RecordedShader {
      const stage = type === constant('VERTEX_SHADER') ? 'vertex' : 'fragment';
      const shader = { stage, source: '', isCompiled: false } as const satisfies RecordedShader;
      recording.shaders.push(shader);
      return shader;
    },
    shaderSource(shader: RecordedShader, source: string): void {
      shader.source = source;
    },
    compileShader(shader: RecordedShader): void {
      shader.isCompiled = true;
    },
    getContextAttributes: () => ({ alpha: true, depth: true, stencil: true, antialias: false }),
    getShaderParameter: () => true,
    getShaderInfoLog: () => '',
    createProgram: () => ({}),
    attachShader(program: object, shader: RecordedShader): void {
      attached.set(program, [...(attached.get(program) ?? []), shader]);
    },
    linkProgram(program: object): void {
      const shaders = attached.get(program) ?? [];
      recording.programs.push({
        vertex: shaders.find((shader) => shader.stage === 'vertex'),
        fragment: shaders.find((shader) => shader.stage === 'fragment'),
      });
    },
    getProgramParameter: (_program: object, name: number) =>
      name === constant('LINK_STATUS') ? true : 0,
    getProgramInfoLog: () => '',
    getError: () => 0,
    getParameter: (name: number) => parameters.get(name) ?? 0,
    // binary32, as specified.
    getShaderPrecisionFormat: () => ({ rangeMin: 127, rangeMax: 127, precision: 23 }),
    getAttribLocation: () => 0,
    checkFramebufferStatus: () => constant('FRAMEBUFFER_COMPLETE'),
    isContextLost: () => false,
  };
  return answerAll(own, constant);
}

/** Adds every constant to `own` and, under every other name, a function that returns an object. */
function answerAll(own: Record<string, unknown>, constant: (name: string) => number): object {
  return new Proxy(own, {
    get(target, name) {
      if (typeof name === 'symbol' || Object.hasOwn(target, name)) return Reflect.get(target, name);
      return /^[A-Z0-9_]+$/.test(name) ? constant(name) : () => ({});
    },
  });
}
