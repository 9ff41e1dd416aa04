/** Context for tests that need no compiler. Its reflection reads declarations from the source. */
import { GL } from '../api/constants.ts';
import { GlContext } from '../context.ts';
import type {
  ProgramReflection,
  ReflectedProgram,
} from '../objects/programs/program-reflection.ts';
import type { GlDialect } from '../rules/api-rules.ts';

const DECLARATION = /\b(attribute|uniform)\s+(\w+)\s+(\w+)(?:\[(\d+)\])?\s*;/g;

/**
 * Reflection that knows `float`, `vecN`, `ivecN`, `int`, `bool`, `matN`, `sampler2D` and
 * `samplerCube`. A source with `#error` does not link.
 */
export const DECLARATION_REFLECTION: ProgramReflection = {
  reflect(vertexSource, fragmentSource) {
    const text = `${vertexSource}\n${fragmentSource}`;
    const attributes: ReflectedProgram['attributes'][number][] = [];
    const uniforms: ReflectedProgram['uniforms'][number][] = [];
    const samplers: ReflectedProgram['samplers'][number][] = [];
    if (text.includes('#error')) {
      return { isLinked: false, log: 'an #error', attributes, uniforms, samplers };
    }
    for (const [, storage, type = '', variable = '', length] of text.matchAll(DECLARATION)) {
      const arrayLength = Number(length ?? 1);
      const name = length === undefined ? variable : `${variable}[0]`;
      const size = Number(/[234]$/.exec(type)?.[0] ?? 1);
      const columns = type.startsWith('mat') ? size : 1;
      const scalarType = /^b/.test(type) ? 'bool' : /^i/.test(type) ? 'int' : 'float';
      if (storage === 'attribute') {
        attributes.push({ name, scalarType, componentCount: size, locationCount: columns });
      } else if (type.startsWith('sampler')) {
        const dimension = type === 'samplerCube' ? 'cube' : '2d';
        samplers.push({ name, dimension, isShadow: false, arrayLength });
      } else {
        const isArray = length !== undefined;
        uniforms.push({ name, scalarType, rows: size, columns, arrayLength, isArray });
      }
    }
    return { isLinked: true, log: '', attributes, uniforms, samplers };
  },
};

/** Returns a 64×32 context and the messages of its errors. */
export function makeContext(dialect: GlDialect = 'gles2'): { gl: GlContext; messages: string[] } {
  const messages: string[] = [];
  const gl = new GlContext({
    dialect,
    widthPx: 64,
    heightPx: 32,
    reflection: DECLARATION_REFLECTION,
    onError: (error) => messages.push(error.message),
  });
  return { gl, messages };
}

/** Links a program, makes it current and returns its name. */
export function useProgram(gl: GlContext, vertexSource: string, fragmentSource = ''): number {
  const program = gl.programs.create();
  for (const [type, source] of [
    [GL.VERTEX_SHADER, vertexSource],
    [GL.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.shaders.create(type);
    gl.shaders.setSource(shader, source);
    gl.shaders.compile(shader);
    gl.programs.attach(program, shader);
  }
  gl.programs.link(program);
  gl.programs.use(program);
  return program;
}

/** Binds a new buffer with the given contents and returns its name. */
export function bindNewBuffer(gl: GlContext, target: number, bytes: Uint8Array): number {
  const name = gl.buffers.generate(1)[0]!;
  gl.buffers.bind(target, name);
  gl.buffers.define(target, bytes, GL.STATIC_DRAW);
  return name;
}

/** Returns the bytes of an array. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
