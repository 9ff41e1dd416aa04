/**
 * WebGL program of a user, running in this process on a simulated GPU. A program is a module that
 * exports `main({ canvas, gl })` and returns a function that draws a frame. It can also be a page
 * script that takes a canvas from the document and draws in `requestAnimationFrame`. Time advances
 * by 1/60 s per frame, so a program produces the same frames in every run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Image, RenderError, type Report } from '@tessera/frame';
import {
  type CanvasContext,
  type CanvasElement,
  type Document,
  installWindow,
} from '../dom/index.ts';
import type { ServedFrame } from '../frames/service-source.ts';
import { PageContexts, type ProgramBackEnd } from './page-contexts.ts';
import { ProgramError, runOfProgram } from './program-error.ts';
import { ProgramTimers, RequestedFrames } from './requested-frames.ts';

const FRAME_MS = 1000 / 60;
const START_TIMEOUT_MS = 5000;
/** Wall time between two checks whether a page has drawn. */
const POLL_MS = 2;

type ContextName = 'webgl' | 'webgl2';

/** Program to run, size of its canvas, and renderer of its frames. */
export interface ProgramOptions {
  /** Path of the program's module. */
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly backEnd: ProgramBackEnd;
  /** Upper bound on the wall time until a page draws its first frame; 5000 by default. */
  readonly startTimeoutMs?: number;
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
  /** Attributes of the context that `main` receives; by default those of WebGL, with a stencil. */
  readonly contextAttributes?: object;
  readonly main?: (page: {
    readonly canvas: CanvasElement;
    readonly gl: CanvasContext;
  }) => DrawFrame | undefined | Promise<DrawFrame | undefined>;
}

/** Draws a frame. @param frameIndex Index of the frame, from 0. */
type DrawFrame = (frameIndex: number) => unknown;

/** WebGL program that draws frame by frame. */
export class RunningProgram {
  readonly #contexts: PageContexts;
  readonly #document: Document;
  readonly #path: string;
  readonly #draw: DrawFrame;
  readonly #removeWindow: () => void;

  private constructor(
    contexts: PageContexts,
    document: Document,
    path: string,
    draw: DrawFrame,
    removeWindow: () => void,
  ) {
    this.#contexts = contexts;
    this.#document = document;
    this.#path = path;
    this.#draw = draw;
    this.#removeWindow = removeWindow;
  }

  /**
   * Creates a window and a canvas in this process and starts the program. Only one program can run
   * at a time.
   *
   * @throws {ProgramError} If the module is missing or throws.
   */
  static async start(options: ProgramOptions): Promise<RunningProgram> {
    const { widthPx, heightPx, startTimeoutMs = START_TIMEOUT_MS } = options;
    const contexts = new PageContexts(options.backEnd);
    const size = { innerWidth: widthPx, innerHeight: heightPx };
    const uninstallWindow = installWindow({ createContext: contexts.create, ...size });
    const timers = new ProgramTimers();
    const removeWindow = () => {
      timers.end();
      uninstallWindow();
    };
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
      const { path } = options;
      const draw = await runOfProgram(path, async () => {
        const module = (await import(pathToFileURL(path).href)) as ProgramModule;
        return module.main === undefined ? undefined : await startMain(module, canvas, path);
      });
      const run = async (index: number) => {
        if (await runPage(index, frames, contexts, startTimeoutMs)) return;
        const reason = contexts.isEmpty
          ? 'the module neither exports main nor creates a WebGL context'
          : `the program has drawn nothing for ${startTimeoutMs / 1000} s`;
        throw new ProgramError(`${path}: ${reason}`);
      };
      return new RunningProgram(contexts, document, path, draw ?? run, removeWindow);
    } catch (error) {
      removeWindow();
      throw error;
    }
  }

  /**
   * Lets the program draw a frame. Frames must be drawn in order, starting with 0.
   *
   * @throws {ProgramError} If the program throws, or draws nothing.
   */
  async drawFrame(frameIndex: number): Promise<void> {
    await runOfProgram(this.#path, () => this.#draw(frameIndex));
    this.#document.endFrame();
  }

  /**
   * Renders everything that was drawn since the last frame.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the frame is too large for one report.
   */
  async takeFrame(): Promise<ProgramFrame> {
    const frame = await this.#contexts.takeFrame();
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

/**
 * Calls the callbacks of `requestAnimationFrame`. The first frame is the first one that shows
 * something, because a page draws nothing until its files are loaded. Returns false if the page
 * draws nothing for `timeoutMs`.
 */
async function runPage(
  frameIndex: number,
  frames: RequestedFrames,
  contexts: PageContexts,
  timeoutMs: number,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  do {
    const isRequested = !frames.isEmpty;
    frames.run(frameIndex * FRAME_MS);
    if (contexts.hasImage || (isRequested && frameIndex > 0)) return true;
    await delay(POLL_MS);
  } while (performance.now() < endMs);
  return false;
}

function startMain(module: ProgramModule, canvas: CanvasElement, path: string) {
  const { contextName: name = 'webgl2', contextAttributes } = module;
  const attributes = { stencil: true, ...contextAttributes };
  const gl = canvas.getContext(name, attributes) as CanvasContext | null;
  if (gl === null) throw new ProgramError(`${path}: the canvas cannot create a ${name} context`);
  return module.main!({ canvas, gl });
}
