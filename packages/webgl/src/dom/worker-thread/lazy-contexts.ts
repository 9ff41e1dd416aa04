/**
 * WebGL of a worker, loaded when the worker uses it. Most workers decode files and never do, and
 * loading the simulated GPU takes longer than starting a thread.
 */
import { createRequire } from 'node:module';
import { setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import type { CreateCanvasContext } from '../canvas/canvas-surface.ts';
import type { WorkerContexts, WorkerContextsModule } from '../workers/worker-contexts.ts';
import type { WorkerStart } from '../workers/worker-protocol.ts';

/** Names of the classes of WebGL, which are defined before the classes are loaded. */
export const WEBGL_NAMES = [
  'WebGL2RenderingContext',
  'WebGLActiveInfo',
  'WebGLBuffer',
  'WebGLFramebuffer',
  'WebGLObject',
  'WebGLProgram',
  'WebGLQuery',
  'WebGLRenderbuffer',
  'WebGLRenderingContext',
  'WebGLSampler',
  'WebGLShader',
  'WebGLShaderPrecisionFormat',
  'WebGLSync',
  'WebGLTexture',
  'WebGLTransformFeedback',
  'WebGLUniformLocation',
  'WebGLVertexArrayObject',
] as const;

/** Wall time between two frames of canvases that a worker draws without animation frames. */
const FRAME_MS = 1000 / 60;

/** Contexts of one worker. */
export class LazyContexts {
  readonly #start: WorkerStart;
  #module: WorkerContextsModule | null = null;
  #contexts: WorkerContexts | null = null;

  constructor(start: WorkerStart) {
    this.#start = start;
  }

  readonly create: CreateCanvasContext = (kind, canvas, attributes) => {
    if (this.#contexts === null) {
      this.#contexts = this.#load().makeWorkerContexts(this.#start.contexts.options);
      // The canvases of a worker are shown although it requests no animation frame.
      if (!this.#start.isDriven) setInterval(() => this.endFrames(), FRAME_MS).unref();
    }
    return this.#contexts.create(kind, canvas, attributes);
  };

  /** Contexts that have been created; null if there are none. */
  get created(): WorkerContexts | null {
    return this.#contexts;
  }

  endFrames(): void {
    this.#contexts?.endFrames();
  }

  /** Defines the classes of WebGL as global names. */
  defineClasses(target: object): void {
    for (const name of WEBGL_NAMES) {
      Object.defineProperty(target, name, {
        get: () => this.#load().WEBGL_CLASSES[name],
        set: (value: unknown) => Object.defineProperty(target, name, { value, writable: true }),
        configurable: true,
      });
    }
  }

  #load(): WorkerContextsModule {
    const load = createRequire(import.meta.url);
    this.#module ??= load(fileURLToPath(this.#start.contexts.module)) as WorkerContextsModule;
    return this.#module;
  }
}
