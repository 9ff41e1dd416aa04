/** The shaders and programs of a capture, without replaying it. */
import type { TraceCall } from './trace-reader.ts';
import type { TraceValue } from './trace-value.ts';

/** Which OpenGL the program talked to; says which GLSL version a source without `#version` is in. */
export type TraceApi = 'gl' | 'gles2';

export interface ListedShader {
  readonly stage: 'vertex' | 'fragment';
  readonly source: string;
}

export interface ListedPrograms {
  readonly api: TraceApi;
  /** Distinct sources, in order of appearance. */
  readonly shaders: readonly ListedShader[];
  /** One entry for each distinct pair that was linked; indices into `shaders`. */
  readonly programs: readonly { readonly vertex: number; readonly fragment: number }[];
}

const EGL_OPENGL_API = 0x30a2;

const STAGE_BY_ENUM: ReadonlyMap<TraceValue, ListedShader['stage']> = new Map([
  [0x8b31, 'vertex'],
  [0x8b30, 'fragment'],
]);

/** Lists what a capture's calls create, compile and link. */
export function listShaders(calls: Iterable<TraceCall>): ListedPrograms {
  let api: TraceApi = 'gl';
  let eglApi: TraceApi = 'gles2';
  const shaders: ListedShader[] = [];
  const programs: { vertex: number; fragment: number }[] = [];
  const stageByName = new Map<TraceValue, ListedShader['stage']>();
  const indexByName = new Map<TraceValue, number>();
  const attachedByProgram = new Map<TraceValue, TraceValue[]>();
  for (const { name, args, result } of calls) {
    if (name === 'eglBindAPI') eglApi = args.api === EGL_OPENGL_API ? 'gl' : 'gles2';
    if (name === 'eglCreateContext') api = eglApi;
    if (name === 'glCreateShader') {
      const stage = STAGE_BY_ENUM.get(args.type ?? null);
      if (stage !== undefined) stageByName.set(result, stage);
    } else if (name === 'glShaderSource') {
      const stage = stageByName.get(args.shader ?? null);
      if (stage === undefined) continue;
      const source = joinShaderSource(args);
      let index = shaders.findIndex((known) => known.stage === stage && known.source === source);
      if (index < 0) index = shaders.push({ stage, source }) - 1;
      indexByName.set(args.shader ?? null, index);
    } else if (name === 'glAttachShader') {
      const attached = attachedByProgram.get(args.program ?? null) ?? [];
      attached.push(args.shader ?? null);
      attachedByProgram.set(args.program ?? null, attached);
    } else if (name === 'glLinkProgram') {
      const attached = attachedByProgram.get(args.program ?? null) ?? [];
      const indices = attached.flatMap((shader) => indexByName.get(shader) ?? []);
      const vertex = indices.find((index) => shaders[index]!.stage === 'vertex');
      const fragment = indices.find((index) => shaders[index]!.stage === 'fragment');
      if (vertex === undefined || fragment === undefined) continue;
      if (!programs.some((pair) => pair.vertex === vertex && pair.fragment === fragment)) {
        programs.push({ vertex, fragment });
      }
    }
  }
  return { api, shaders, programs };
}

/** The source that a `glShaderSource` call gives: its strings, cut to their lengths, one after another. */
export function joinShaderSource(args: TraceCall['args']): string {
  const { string: strings, length: lengths } = args;
  if (!Array.isArray(strings)) return '';
  return strings
    .map((part: TraceValue, i) => {
      if (typeof part !== 'string') return '';
      const length: TraceValue = Array.isArray(lengths) ? (lengths[i] as TraceValue) : -1;
      return typeof length === 'number' && length >= 0 ? part.slice(0, length) : part;
    })
    .join('');
}
