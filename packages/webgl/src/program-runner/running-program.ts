/**
 * WebGL program of a user, running in this process on a simulated GPU. A program is a module that
 * exports `main({ canvas, gl })` and returns a function that draws a frame. It can also be a page
 * script that takes a canvas from the document and draws in `requestAnimationFrame`. Time advances
 * by 1/60 s per frame, so a program produces the same frames in every run.
 */
import { pathToFileURL } from 'node:url';
import { type Image, RenderError, type Report } from '@tessera/frame';
import { createContext, createServiceContext } from '../create-context.ts';
import {
  type CanvasContext,
  type CanvasElement,
  type CreateCanvasContext,
  type Document,
  installWindow,
} from '../dom/index.ts';
import type { DrawnFrame } from '../frames/frame-source.ts';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import type { ServedFrame } from '../frames/service-source.ts';
import type { SimulatedGpuChoice } from '../frames/simulated-gpu-choice.ts';
import { fitDrawingBuffer } from '../interface/limits.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from '../rendering-context.ts';
import { ProgramError, runOfProgram } from './program-error.ts';

const FRAME_MS = 1000 / 60;

/** Classes that libraries use to identify a context. */
const CONTEXT_CLASSES = { WebGLRenderingContext, WebGL2RenderingContext };

type ContextName = 'webgl' | 'webgl2';

/** Renderer of the program's frames. */
export type ProgramBackEnd =
  | { readonly kind: 'in-process'; readonly gpu?: SimulatedGpuChoice }
  | { readonly kind: 'service'; readonly service: ServiceOptions };

/** Program to run, size of its canvas, and renderer of its frames. */
export interface ProgramOptions {
  /** Path of the program's module. */
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly backEnd: ProgramBackEnd;
}

/** Rendered frame of a program. */
export interface ProgramFrame {
  /** Image of the canvas, top row first. */
  readonly image: Image;
  readonly png: Uint8Array;
  readonly report: Report;
  /** Number of bytes sent to the service; null if the frame was rendered in this process. */
  readonly sentBytes: ServedFrame['sentBytes'] | null;
}

/** Exports of a program's module, all optional. */
interface ProgramModule {
  /** Kind of the context; `webgl2` by default. */
  readonly contextName?: ContextName;
  readonly main?: (page: {
    readonly canvas: CanvasElement;
    readonly gl: CanvasContext;
  }) => DrawFrame | undefined | Promise<DrawFrame | undefined>;
}

/** Draws a frame. @param frameIndex Index of the frame, from 0. */
type DrawFrame = (frameIndex: number) => unknown;

/** Callbacks of `requestAnimationFrame`, called when the next frame is drawn. */
class RequestedFrames {
  #callbacks = new Map<number, (timeMs: number) => void>();
  #lastId = 0;

  readonly request = (callback: (timeMs: number) => void): number => {
    this.#callbacks.set(++this.#lastId, callback);
    return this.#lastId;
  };

  readonly cancel = (id: number): void => {
    this.#callbacks.delete(id);
  };

  /** Calls all requested callbacks. New requests belong to the next frame. */
  run(timeMs: number): void {
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of callbacks.values()) callback(timeMs);
  }
}

/** Timers that a program sets. They keep the process alive only until the program ends. */
class ProgramTimers {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #original = { setTimeout, setInterval };

  constructor() {
    const { setTimeout: after, setInterval: every } = this.#original;
    const track = (timer: NodeJS.Timeout) => {
      this.#timers.add(timer);
      return timer;
    };
    Object.assign(globalThis, {
      setTimeout: (...args: Parameters<typeof setTimeout>) => track(after(...args)),
      setInterval: (...args: Parameters<typeof setInterval>) => track(every(...args)),
    });
  }

  end(): void {
    Object.assign(globalThis, this.#original);
    for (const timer of this.#timers) timer.unref();
  }
}

/** Context whose frames either renderer can render. */
interface FramedContext extends CanvasContext {
  frame(): DrawnFrame | Promise<ServedFrame>;
}

/** WebGL program that draws frame by frame. */
export class RunningProgram {
  readonly #context: FramedContext;
  readonly #path: string;
  readonly #draw: DrawFrame;
  readonly #removeWindow: () => void;

  private constructor(
    context: FramedContext,
    path: string,
    draw: DrawFrame,
    removeWindow: () => void,
  ) {
    this.#context = context;
    this.#path = path;
    this.#draw = draw;
    this.#removeWindow = removeWindow;
  }

  /**
   * Creates a window and a canvas in this process and starts the program. Only one program can run
   * at a time.
   *
   * @throws {ProgramError} If the module is missing, throws, or creates no context.
   */
  static async start(options: ProgramOptions): Promise<RunningProgram> {
    const { widthPx, heightPx } = options;
    let context: FramedContext | null = null;
    const makeContext: CreateCanvasContext = (name, { width, height }, attributes) => {
      if (context !== null) return null;
      context = createFor(options.backEnd, name, width, height, attributes);
      return context;
    };
    const window = { createContext: makeContext, innerWidth: widthPx, innerHeight: heightPx };
    const uninstallWindow = installWindow(window);
    const timers = new ProgramTimers();
    const removeWindow = () => {
      timers.end();
      uninstallWindow();
    };
    try {
      const frames = new RequestedFrames();
      const { document } = globalThis as unknown as { document: Document };
      Object.assign(globalThis, {
        ...CONTEXT_CLASSES,
        requestAnimationFrame: frames.request,
        cancelAnimationFrame: frames.cancel,
      });
      const canvas = document.createElement('canvas');
      canvas.width = widthPx;
      canvas.height = heightPx;
      document.body.appendChild(canvas);
      const { path } = options;
      const draw = await runOfProgram(path, async () => {
        const module = (await import(pathToFileURL(path).href)) as ProgramModule;
        return module.main === undefined ? undefined : await startMain(module, canvas, path);
      });
      if (context === null) {
        const message = `${path}: the module neither exports main nor creates a WebGL context`;
        throw new ProgramError(message);
      }
      const run: DrawFrame = (index) => frames.run(index * FRAME_MS);
      return new RunningProgram(context, path, draw ?? run, removeWindow);
    } catch (error) {
      removeWindow();
      throw error;
    }
  }

  /**
   * Lets the program draw a frame. Frames must be drawn in order, starting with 0.
   *
   * @throws {ProgramError} If the program throws.
   */
  async drawFrame(frameIndex: number): Promise<void> {
    await runOfProgram(this.#path, () => this.#draw(frameIndex));
  }

  /**
   * Renders everything that was drawn since the last frame.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the frame is too large for one report.
   */
  async takeFrame(): Promise<ProgramFrame> {
    const frame = await this.#context.frame();
    const { image, report } = frame;
    if (report === null) {
      const message = 'the frame has no draws, or more parts than one report can have';
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const sentBytes = 'sentBytes' in frame ? frame.sentBytes : null;
    return { image, report, png: await frame.png(), sentBytes };
  }

  /** Removes the window from the process. */
  close(): void {
    this.#removeWindow();
  }
}

function createFor(
  backEnd: ProgramBackEnd,
  name: ContextName,
  width: number,
  height: number,
  attributes: object,
): FramedContext {
  const given = { ...attributes, createWebGL2Context: name === 'webgl2' };
  const size = fitDrawingBuffer(width, height);
  return backEnd.kind === 'service'
    ? createServiceContext(...size, { ...given, service: backEnd.service })
    : createContext(...size, { ...given, gpu: backEnd.gpu });
}

function startMain(module: ProgramModule, canvas: CanvasElement, path: string) {
  const name = module.contextName ?? 'webgl2';
  const gl = canvas.getContext(name, { antialias: false, stencil: true }) as CanvasContext | null;
  if (gl === null) throw new ProgramError(`${path}: the canvas cannot create a ${name} context`);
  return module.main!({ canvas, gl });
}
