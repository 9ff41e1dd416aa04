/**
 * A WebGL program as users write them, run in this process over a context of ours: a module that exports `main({ canvas, gl })`
 * and gives back a function to draw a frame, or a page's script that takes a canvas from the document and draws in
 * `requestAnimationFrame`. Time goes by frame: 1/60 s each, so that a program gives the same frames each time it is run.
 */
import { pathToFileURL } from 'node:url';
import { type Image, RenderError, type Report } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
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
import { fitDrawingBuffer } from '../interface/limits.ts';
import type { SimulatedGpuChoice } from '../options/simulated-gpu-choice.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from '../rendering-context.ts';

const FRAME_MS = 1000 / 60;

/** Libraries ask whether a context is one of these. */
const CONTEXT_CLASSES = { WebGLRenderingContext, WebGL2RenderingContext };

type ContextName = 'webgl' | 'webgl2';

/** Who renders the frames. */
export type ProgramBackEnd =
  | { readonly kind: 'in-process'; readonly gpu?: SimulatedGpuChoice }
  | { readonly kind: 'service'; readonly service: ServiceOptions };

export interface ProgramOptions {
  /** Of the module. */
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly backEnd: ProgramBackEnd;
}

/** A frame of a program. */
export interface ProgramFrame {
  /** The canvas, top row first. */
  readonly image: Image;
  readonly png: Uint8Array;
  readonly report: Report;
  /** What was sent to the service; null in this process. */
  readonly sentBytes: ServedFrame['sentBytes'] | null;
}

/** What a module may export; all of it may be missing. */
interface ProgramModule {
  /** `webgl2` where it is missing. */
  readonly contextName?: ContextName;
  readonly main?: (page: {
    readonly canvas: CanvasElement;
    readonly gl: CanvasContext;
  }) => DrawFrame | undefined | Promise<DrawFrame | undefined>;
}

/** @param frameIndex Counted from 0. */
type DrawFrame = (frameIndex: number) => unknown;

/** Callbacks of `requestAnimationFrame`, called when a frame is wanted. */
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

  /** Calls what was asked for; what they ask for is of the next frame. */
  run(timeMs: number): void {
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of callbacks.values()) callback(timeMs);
  }
}

/** Timers that a program sets; when it is over they keep the process alive no longer. */
class ProgramTimers {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #before = { setTimeout, setInterval };

  constructor() {
    const { setTimeout: after, setInterval: every } = this.#before;
    const note = (timer: NodeJS.Timeout) => {
      this.#timers.add(timer);
      return timer;
    };
    Object.assign(globalThis, {
      setTimeout: (...args: Parameters<typeof setTimeout>) => note(after(...args)),
      setInterval: (...args: Parameters<typeof setInterval>) => note(every(...args)),
    });
  }

  end(): void {
    Object.assign(globalThis, this.#before);
    for (const timer of this.#timers) timer.unref();
  }
}

/** A context with frames, of either back end. */
interface FramedContext extends CanvasContext {
  frame(): DrawnFrame | Promise<ServedFrame>;
}

export class RunningProgram {
  readonly #context: FramedContext;
  readonly #draw: DrawFrame;
  readonly #removeWindow: () => void;

  private constructor(context: FramedContext, draw: DrawFrame, removeWindow: () => void) {
    this.#context = context;
    this.#draw = draw;
    this.#removeWindow = removeWindow;
  }

  /**
   * Gives the process a window and a canvas, and starts the program in it. One program at a time.
   *
   * @throws {RenderError} REQUEST_INVALID if it asks for no context. And what the program throws.
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
    const takeWindow = installWindow(window);
    const timers = new ProgramTimers();
    const removeWindow = () => {
      timers.end();
      takeWindow();
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
      const module = (await import(pathToFileURL(options.path).href)) as ProgramModule;
      const draw = module.main === undefined ? undefined : await startMain(module, canvas);
      if (context === null) {
        const message = `${options.path}: exports no main and asks no canvas for a WebGL context`;
        throw new RenderError('REQUEST_INVALID', message);
      }
      const run: DrawFrame = (index) => frames.run(index * FRAME_MS);
      return new RunningProgram(context, draw ?? run, removeWindow);
    } catch (error) {
      removeWindow();
      throw error;
    }
  }

  /** Lets the program draw; the frames are to be drawn in order, from 0. */
  async drawFrame(frameIndex: number): Promise<void> {
    await this.#draw(frameIndex);
  }

  /** What was drawn since the last one, rendered. @throws {RenderError} LIMIT_EXCEEDED if that is too much for one report. */
  async takeFrame(): Promise<ProgramFrame> {
    const frame = await this.#context.frame();
    const { image, report } = frame;
    if (report === null) {
      const message = 'a frame that draws nothing, or so much that it gets no report';
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    if ('png' in frame) return { image, report, png: frame.png, sentBytes: frame.sentBytes };
    return { image, report, png: await encodePng(image), sentBytes: null };
  }

  /** Takes the window away again. */
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

function startMain(module: ProgramModule, canvas: CanvasElement) {
  const name = module.contextName ?? 'webgl2';
  const gl = canvas.getContext(name, { antialias: false, stencil: true }) as CanvasContext | null;
  if (gl === null) throw new Error(`the canvas gives no context of ${name}`);
  return module.main!({ canvas, gl });
}
