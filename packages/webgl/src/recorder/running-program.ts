/**
 * A WebGL program as users write them, run in this process over a context of ours: a module that exports `main({ canvas, gl })`
 * and gives back a function to draw a frame, or a page's script that takes a canvas from the document and draws in
 * `requestAnimationFrame`. Time goes by frame: 1/60 s each, so that a program gives the same frames each time it is run.
 */
import { pathToFileURL } from 'node:url';
import { RenderError } from '@tessera/frame';
import {
  type CanvasContext,
  type CanvasElement,
  type CreateCanvasContext,
  type Document,
  installWindow,
} from '../dom/index.ts';

const FRAME_MS = 1000 / 60;

export type ContextName = 'webgl' | 'webgl2';

export interface ProgramOptions {
  /** Of the module. */
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Makes what the program draws with, once. */
  readonly createContext: (
    name: ContextName,
    canvas: CanvasElement,
    attributes: object,
  ) => CanvasContext;
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

export class RunningProgram {
  readonly context: CanvasContext;
  readonly #draw: DrawFrame;
  readonly #removeWindow: () => void;

  private constructor(context: CanvasContext, draw: DrawFrame, removeWindow: () => void) {
    this.context = context;
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
    let context: CanvasContext | null = null;
    const createContext: CreateCanvasContext = (name, canvas, attributes) => {
      if (context !== null) return null;
      context = options.createContext(name, canvas, attributes);
      return context;
    };
    const window = { createContext, innerWidth: widthPx, innerHeight: heightPx };
    const removeWindow = installWindow(window);
    try {
      const frames = new RequestedFrames();
      const { document } = globalThis as unknown as { document: Document };
      Object.assign(globalThis, {
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

  /** Takes the window away again. */
  close(): void {
    this.#removeWindow();
  }
}

function startMain(module: ProgramModule, canvas: CanvasElement) {
  const name = module.contextName ?? 'webgl2';
  const gl = canvas.getContext(name, { antialias: false, stencil: true }) as CanvasContext | null;
  if (gl === null) throw new Error(`the canvas gives no context of ${name}`);
  return module.main!({ canvas, gl });
}
