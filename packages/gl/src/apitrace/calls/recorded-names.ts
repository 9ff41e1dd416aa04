/**
 * Maps object names, uniform locations and buffer mappings of the captured program to those of a
 * `GlContext`.
 */
import type { GlContext } from '../../context.ts';
import type { BufferObject } from '../../objects/buffers/buffer-objects.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { failCall } from './call-arguments.ts';
import { OcclusionQueries } from './conditional-calls.ts';
import { IncludedStrings } from './include-calls.ts';

/** Map of recorded names of one kind of object. */
export class NameMap {
  readonly #nameByRecorded = new Map<number, number>();
  readonly #generate: () => number;

  /** @param generate Creates a name for an object that the program named itself. */
  constructor(generate: () => number) {
    this.#generate = generate;
  }

  set(recorded: number, name: number): void {
    this.#nameByRecorded.set(recorded, name);
  }

  /** Returns the name for a recorded one. 0, no object, stays 0. */
  get(recorded: number): number {
    if (recorded === 0) return 0;
    let name = this.#nameByRecorded.get(recorded);
    if (name === undefined) {
      name = this.#generate();
      this.#nameByRecorded.set(recorded, name);
    }
    return name;
  }

  /** Returns the name for a recorded one, or 0 if the program never had it. */
  find(recorded: number): number {
    return this.#nameByRecorded.get(recorded) ?? 0;
  }

  /** Returns the recorded names from `first` up to but excluding `end`. */
  between(first: number, end: number): number[] {
    const isShort = end - first >= 0 && end - first < this.#nameByRecorded.size;
    const names = isShort
      ? Array.from({ length: end - first }, (_, i) => first + i)
      : [...this.#nameByRecorded.keys()];
    return names.filter((name) => name >= first && name < end && this.#nameByRecorded.has(name));
  }

  remove(recorded: number): number {
    const name = this.#nameByRecorded.get(recorded) ?? 0;
    this.#nameByRecorded.delete(recorded);
    return name;
  }
}

/** Mapped buffer memory that the program writes by address. */
export interface LiveMapping {
  readonly buffer: BufferObject;
  readonly address: number;
  readonly sizeBytes: number;
}

/** Names that the contexts of one share group have in common. */
export class SharedNames {
  readonly buffers: NameMap;
  readonly textures: NameMap;
  readonly renderbuffers: NameMap;
  /** Shaders and programs. Both exist only if created, so an unknown one is 0. */
  readonly programs = new NameMap(() => 0);
  /** Uniform names by recorded program and recorded location. */
  readonly uniformNames = new Map<number, Map<number, string>>();
  /** Strings that shaders include. */
  readonly includes = new IncludedStrings();
  /** Names of uniform blocks by recorded program and recorded index. */
  readonly blockNames = new Map<number, Map<number, string>>();

  constructor(context: GlContext) {
    this.buffers = new NameMap(() => context.buffers.generate(1)[0]!);
    this.textures = new NameMap(() => context.textures.generate(1)[0]!);
    this.renderbuffers = new NameMap(() => context.renderbuffers.generate(1)[0]!);
  }
}

/** Replay state of one recorded context. */
export class RecordedContext {
  readonly gl: GlContext;
  readonly shared: SharedNames;
  readonly framebuffers: NameMap;
  readonly vertexArrays: NameMap;
  readonly feedbacks: NameMap;
  /** Sampler objects. The replay does not share them within a share group, as contexts. */
  readonly samplers: NameMap;
  /** Display lists. The replay does not share them within a share group. */
  readonly lists: NameMap;
  readonly mappings: LiveMapping[] = [];
  /** Copy to memory that is in no mapping, which only a flush may follow. */
  unplacedCopy: CapturedCall | null = null;
  readonly occlusion = new OcclusionQueries();
  /** Assumptions that the replay made. */
  readonly notes = new Set<string>();
  /** Recorded name of the current program. */
  currentProgram = 0;
  /** Mode of the latest `glBegin`. */
  beginMode = 0;
  /** Texture unit selected by `glClientActiveTexture`. */
  clientUnit = 0;

  constructor(gl: GlContext, shared: SharedNames = new SharedNames(gl)) {
    this.gl = gl;
    this.shared = shared;
    this.framebuffers = new NameMap(() => gl.framebuffers.generate(1)[0]!);
    this.vertexArrays = new NameMap(() => gl.vertexArrays.generate(1)[0]!);
    this.feedbacks = new NameMap(() => gl.feedback.generate(1)[0]!);
    this.samplers = new NameMap(() => gl.textures.samplers.create());
    this.lists = new NameMap(() => gl.fixedFunctions.lists.generate(1));
  }

  /** @throws {RenderError} FRAME_INVALID after a copy that only a flush could have placed. */
  requirePlacedCopy({ name }: CapturedCall): void {
    if (this.unplacedCopy === null || name === 'glFlushMappedBufferRange') return;
    failCall(this.unplacedCopy, 'the destination is not in a mapped buffer');
  }
}

/** Function that replays one recorded call. */
export type CallReplay = (context: RecordedContext, call: CapturedCall) => void;

/** Maps the names that a recorded `glGen…` call returned to newly generated names. */
export function learnNames(
  names: NameMap,
  recorded: readonly number[],
  generate: (count: number) => number[],
): void {
  const made = generate(recorded.length);
  recorded.forEach((name, i) => {
    names.set(name, made[i]!);
  });
}
