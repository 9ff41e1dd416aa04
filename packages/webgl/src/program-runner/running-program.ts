/**
 * WebGL program of a user, running in this process on a simulated GPU. A program is a module that
 * exports `main({ canvas, gl })` and returns a function that draws a frame. It can also be a page
 * script that takes a canvas from the document and draws in `requestAnimationFrame`, or an HTML
 * page with such scripts. Time advances by 1/60 s per frame, so a program produces the same frames
 * in every run.
 */
import { performance } from 'node:perf_hooks';
import { type Image, RenderError, type Report } from '@tessera/frame';
import {
  type CanvasContext,
  type CanvasElement,
  type Document,
  installWindow,
  PageWorkers,
  WatchedTimers,
  watchCalls,
} from '../dom/index.ts';
import type { ServedFrame } from '../frames/service-source.ts';
import { HtmlPage, isHtmlPage } from './html-page.ts';
import { PageContexts, type ProgramBackEnd } from './page-contexts.ts';
import { PageLoop, PendingError } from './page-loop.ts';
import { installPageTime } from './page-time.ts';
import { nextProgramAddress } from './program-address.ts';
import { ProgramError, runOfProgram, toProgramError } from './program-error.ts';
import { toWorkerBackEnd } from './worker-contexts.ts';

const FRAME_MS = 1000 / 60;
const START_TIMEOUT_MS = 5000;
const LOAD_TIMEOUT_MS = 60_000;

type ContextName = 'webgl' | 'webgl2';

/** Program to run, size of its canvas, and renderer of its frames. */
export interface ProgramOptions {
  /** Path of the program's module, or of an HTML page, whose name ends with `.html` or `.htm`. */
  readonly path: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly backEnd: ProgramBackEnd;
  /** Upper bound on the wall time until a page draws its first frame; 5000 by default. */
  readonly startTimeoutMs?: number;
  /** Whether frame 0 waits until no work of the page is pending; false by default. */
  readonly isIdleFirst?: boolean;
  /**
   * Upper bound on the wall time that a frame waits for workers, and frame 0 for all other pending
   * work; 60,000 by default.
   */
  readonly loadTimeoutMs?: number;
}

/** Rendered frame of a program. */
export interface ProgramFrame {
  /** Image of the canvas, top row first. */
  readonly image: Image;
  readonly png: Uint8Array;
  readonly report: Report;
  /** Number of bytes sent to the service; null if the frame was rendered in this process. */
  readonly sentBytes: ServedFrame['sentBytes'] | null;
  /** Names of the work that was pending when the program had drawn the frame. */
  readonly pending: readonly string[];
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

/** Parts of a running program. */
interface ProgramParts {
  readonly path: string;
  readonly contexts: PageContexts;
  readonly workers: PageWorkers;
  readonly loop: PageLoop;
  readonly document: Document;
  readonly draw: DrawFrame;
  readonly isAnimated: () => boolean;
  readonly isIdleFirst: boolean;
  readonly loadTimeoutMs: number;
  readonly removeWindow: () => void;
}

/** WebGL program that draws frame by frame. */
export class RunningProgram {
  readonly #parts: ProgramParts;
  #pending: readonly string[] = [];

  private constructor(parts: ProgramParts) {
    this.#parts = parts;
  }

  /**
   * Creates a window and a canvas in this process and starts the program. Only one program can run
   * at a time. A program that runs again starts anew, but not the libraries that it imports.
   *
   * @throws {ProgramError} If the module is missing or throws.
   */
  static async start(options: ProgramOptions): Promise<RunningProgram> {
    const { path, startTimeoutMs = START_TIMEOUT_MS } = options;
    const { isIdleFirst = false, loadTimeoutMs = LOAD_TIMEOUT_MS } = options;
    const contexts = new PageContexts(options.backEnd);
    const workers = new PageWorkers({ contexts: chooseContexts(options.backEnd), isDriven: true });
    const loop = new PageLoop(contexts, workers);
    const htmlPage = isHtmlPage(path) ? new HtmlPage(path) : null;
    const removeWindow = installPage(options, contexts, workers, loop, htmlPage);
    try {
      const { document } = globalThis as unknown as { document: Document };
      const draw = await runOfProgram(path, async () => {
        if (htmlPage === null) return await startModule(document, options);
        await htmlPage.load(document);
        return undefined;
      });
      const drawPage = async (index: number) => {
        if (isIdleFirst && index === 0 && loop.hasImage) return;
        const endMs = performance.now() + loadTimeoutMs;
        if (await loop.drawFrame(index, index * FRAME_MS, startTimeoutMs, endMs)) return;
        const pending = loop.listPending();
        if (pending.length > 0) throw new PendingError(pending);
        const reason = contexts.isEmpty
          ? `the ${htmlPage === null ? 'module neither exports main nor' : 'page never'} creates a WebGL context`
          : `the program has drawn nothing for ${startTimeoutMs / 1000} s`;
        throw new ProgramError(`${path}: ${reason}`);
      };
      return new RunningProgram({
        ...{ path, contexts, workers, loop, document, draw: draw ?? drawPage },
        ...{ isIdleFirst, loadTimeoutMs, removeWindow },
        isAnimated: () => draw !== undefined || loop.isRequested,
      });
    } catch (error) {
      removeWindow();
      throw error;
    }
  }

  /**
   * Lets the program draw a frame. Frames must be drawn in order, starting with 0. The frame is
   * complete when the workers of the program are idle.
   *
   * @throws {ProgramError} If the program throws or draws nothing, or if work that the frame waits
   *   for does not end in time.
   */
  async drawFrame(frameIndex: number): Promise<void> {
    const { path, loop, document, draw, isIdleFirst, loadTimeoutMs } = this.#parts;
    const endMs = performance.now() + loadTimeoutMs;
    await runOfProgram(path, async () => {
      try {
        if (isIdleFirst && frameIndex === 0) await loop.waitUntilIdle(0, endMs);
        await loop.startFrame(frameIndex * FRAME_MS);
        await draw(frameIndex);
        await loop.waitForWorkers(endMs);
      } catch (error) {
        if (!(error instanceof PendingError)) throw error;
        const seconds = loadTimeoutMs / 1000;
        throw new ProgramError(`${path}: after ${seconds} s ${error.message}`, { cause: error });
      }
    });
    this.#pending = loop.listPending();
    document.endFrame();
  }

  /**
   * Renders everything that was drawn since the last frame.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the frame is too large for one report.
   */
  async takeFrame(): Promise<ProgramFrame> {
    const { contexts, workers } = this.#parts;
    const isOfWorker = !contexts.hasImage && workers.hasImage;
    const frame = isOfWorker ? await workers.takeFrame() : await contexts.takeFrame();
    if (!isOfWorker) workers.endFrames();
    const { image, report } = frame;
    if (report === null) {
      const message = 'the frame has no draws, or more parts than one report can have';
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const sentBytes = 'sentBytes' in frame ? frame.sentBytes : null;
    const png = frame.png instanceof Uint8Array ? frame.png : await frame.png();
    return { image, report, png, sentBytes, pending: this.#pending };
  }

  /** Whether the program draws another frame, as modules with `main` always do. */
  get isAnimated(): boolean {
    return this.#parts.isAnimated();
  }

  /** Removes the window from the process, and ends the workers. */
  close(): void {
    this.#parts.removeWindow();
  }
}

function chooseContexts(backEnd: ProgramBackEnd) {
  const module = new URL('./worker-contexts.ts', import.meta.url).href;
  return { module, options: toWorkerBackEnd(backEnd) };
}

/** Installs the window of a program. Returns a function that removes it. */
function installPage(
  { path, widthPx, heightPx }: ProgramOptions,
  contexts: PageContexts,
  workers: PageWorkers,
  loop: PageLoop,
  htmlPage: HtmlPage | null,
): () => void {
  const uninstallWindow = installWindow({
    ...htmlPage?.windowOptions,
    createContext: contexts.create,
    ...{ innerWidth: widthPx, innerHeight: heightPx, workers, pending: loop.loading },
    reportError: (error) => {
      queueMicrotask(() => {
        throw toProgramError(path, error);
      });
    },
  });
  const page = (globalThis as unknown as { document: Document }).document;
  loop.videos = page.videos;
  // Videos advance with the frames of the loop only, not with the wall time of the window.
  page.videos.onStart = () => {};
  loop.onAnimated = () => page.endFrame();
  const { request, cancel } = loop.frames;
  Object.assign(globalThis, { requestAnimationFrame: request, cancelAnimationFrame: cancel });
  const timers = new WatchedTimers(loop.timers);
  const stopWatching = watchCalls(loop.loading);
  const restoreTime = installPageTime(() => loop.timeMs);
  return () => {
    restoreTime();
    stopWatching();
    timers.end();
    htmlPage?.close();
    uninstallWindow();
  };
}

/** Imports the module of a program, whose page has one canvas. Returns what `main` returns. */
async function startModule(document: Document, { path, widthPx, heightPx }: ProgramOptions) {
  const canvas = document.createElement('canvas');
  canvas.width = widthPx;
  canvas.height = heightPx;
  document.body.appendChild(canvas);
  const module = (await import(nextProgramAddress(path))) as ProgramModule;
  return module.main === undefined ? undefined : await startMain(module, canvas, path);
}

function startMain(module: ProgramModule, canvas: CanvasElement, path: string) {
  const { contextName: name = 'webgl2', contextAttributes } = module;
  const attributes = { stencil: true, ...contextAttributes };
  const gl = canvas.getContext(name, attributes) as CanvasContext | null;
  if (gl === null) throw new ProgramError(`${path}: the canvas cannot create a ${name} context`);
  return module.main!({ canvas, gl });
}
