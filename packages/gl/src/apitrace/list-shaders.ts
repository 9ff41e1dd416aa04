/** Lists the shaders and programs of a capture without replaying it. */
import { joinShaderSource } from './calls/join-shader-source.ts';
import type { CapturedCall } from './format/capture-reader.ts';
import type { CapturedValue } from './format/captured-value.ts';

/**
 * OpenGL API of the captured program. It decides the GLSL version of a source without `#version`.
 */
export type CaptureApi = 'gl' | 'gles2';

/** Distinct shader source of a capture. */
export interface ListedShader {
  readonly stage: 'vertex' | 'fragment';
  readonly source: string;
}

/** Shaders and linked programs of a capture. */
export interface ListedPrograms {
  readonly api: CaptureApi;
  /** Distinct sources, in order of appearance. */
  readonly shaders: readonly ListedShader[];
  /** Distinct linked pairs, as indices into `shaders`. */
  readonly programs: readonly { readonly vertex: number; readonly fragment: number }[];
}

const EGL_OPENGL_API = 0x30a2;

const STAGE_BY_ENUM: ReadonlyMap<CapturedValue, ListedShader['stage']> = new Map([
  [0x8b31, 'vertex'],
  [0x8b30, 'fragment'],
]);

/** Lists the shaders and programs that a capture creates, compiles and links. */
export function listShaders(calls: Iterable<CapturedCall>): ListedPrograms {
  const lister = new ShaderLister();
  for (const call of calls) lister.add(call);
  const { api, shaders, programs } = lister;
  return { api, shaders, programs };
}

/** Collects shaders and programs from calls in a stream. */
export class ShaderLister implements ListedPrograms {
  api: CaptureApi = 'gl';
  readonly shaders: ListedShader[] = [];
  readonly programs: { vertex: number; fragment: number }[] = [];
  #eglApi: CaptureApi = 'gles2';
  readonly #stageByName = new Map<CapturedValue, ListedShader['stage']>();
  /** Index into `shaders` by stage and source. */
  readonly #indexBySource = new Map<string, number>();
  readonly #indexByName = new Map<CapturedValue, number>();
  readonly #attachedByProgram = new Map<CapturedValue, Set<CapturedValue>>();
  readonly #pairs = new Set<string>();

  add({ name, args, result }: CapturedCall): void {
    switch (name) {
      case 'eglBindAPI':
        this.#eglApi = args.api === EGL_OPENGL_API ? 'gl' : 'gles2';
        break;
      case 'eglCreateContext':
        this.api = this.#eglApi;
        break;
      case 'glCreateShader': {
        const stage = STAGE_BY_ENUM.get(args.type ?? null);
        if (stage !== undefined) this.#stageByName.set(result, stage);
        break;
      }
      case 'glShaderSource':
        this.#addSource(args);
        break;
      case 'glAttachShader':
        this.#attachedTo(args.program ?? null).add(args.shader ?? null);
        break;
      case 'glLinkProgram':
        this.#link(args.program ?? null);
        break;
    }
  }

  #addSource(args: CapturedCall['args']): void {
    const shader = args.shader ?? null;
    const stage = this.#stageByName.get(shader);
    if (stage === undefined) return;
    const source = joinShaderSource(args);
    const key = `${stage}:${source}`;
    const index = this.#indexBySource.get(key) ?? this.shaders.push({ stage, source }) - 1;
    this.#indexBySource.set(key, index);
    this.#indexByName.set(shader, index);
  }

  #attachedTo(program: CapturedValue): Set<CapturedValue> {
    const attached = this.#attachedByProgram.get(program) ?? new Set();
    this.#attachedByProgram.set(program, attached);
    return attached;
  }

  #link(program: CapturedValue): void {
    const indices = [...this.#attachedTo(program)].flatMap(
      (shader) => this.#indexByName.get(shader) ?? [],
    );
    const vertex = indices.find((index) => this.shaders[index]!.stage === 'vertex');
    const fragment = indices.find((index) => this.shaders[index]!.stage === 'fragment');
    if (vertex === undefined || fragment === undefined) return;
    const pair = `${vertex},${fragment}`;
    if (this.#pairs.has(pair)) return;
    this.#pairs.add(pair);
    this.programs.push({ vertex, fragment });
  }
}
