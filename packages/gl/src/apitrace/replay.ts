/**
 * Replays the calls of a capture until a frame is complete. Contexts and drawables of GLX, EGL, WGL
 * and CGL are replayed here, OpenGL functions in `replay-calls.ts`.
 */
import { type Frame, RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrorRecord } from '../api/gl-errors.ts';
import { GlContext } from '../context.ts';
import { ByteBudget } from '../objects/byte-budget.ts';
import type { ProgramReflection } from '../objects/programs/program-reflection.ts';
import type { FrameRenderer } from '../recording/pass-renderer.ts';
import type { GlDialect } from '../rules/api-rules.ts';
import { SharedObjects } from '../shared-objects.ts';
import { keyOf, numberOf, refuseCall } from './calls/call-arguments.ts';
import { type CallRole, isOpenGl, roleOf } from './calls/call-roles.ts';
import { specifiesProxy } from './calls/proxy-targets.ts';
import { type CallReplay, RecordedContext } from './calls/recorded-names.ts';
import { findReplay } from './calls/replay-calls.ts';
import {
  createdContext,
  namedContext,
  namedDrawable,
  sharedContext,
} from './calls/window-system-calls.ts';
import { describeRuns } from './describe-replay.ts';
import { ErrorCheck } from './error-check.ts';
import type { CallBatches, CapturedCall } from './format/capture-reader.ts';

/**
 * Frame of a capture. An index counts buffer swaps from 0; what follows the last swap is the last
 * frame. `call` is the number of a call that ends the frame, and `end` ends it with the capture.
 * Such a frame begins after the last swap before that, and its image is that of the framebuffer
 * that is bound then.
 */
export type CaptureFrame = number | { readonly call: number } | 'end';

/** Options of a replay. */
export interface ReplayOptions {
  readonly reflection: ProgramReflection;
  /** Frame to replay. */
  readonly frame: CaptureFrame;
  /** Maximum size of buffers and textures in bytes, over all contexts and in the frame. */
  readonly maxBytes?: number;
  /**
   * Renderer of transform feedback and of queries that conditional rendering depends on. Default:
   * frames whose program uses them are refused.
   */
  readonly feedbackRenderer?: FrameRenderer | undefined;
}

/** GL error that a replayed call raised. */
export interface ReplayError extends Omit<GlErrorRecord, 'isCertain'> {
  readonly callNumber: number;
  readonly functionName: string;
}

/** Frame of a capture, with remarks about its replay. */
export interface ReplayedFrame {
  readonly frame: Frame;
  /** Distinct functions that are neither OpenGL's nor known to this replay. */
  readonly unknownFunctions: readonly string[];
  /** Assumptions made where the capture lacks information. */
  readonly notes: readonly string[];
  /** First errors, in order: those that the program got too. A sound capture has none. */
  readonly errors: readonly ReplayError[];
}

const MAX_ERRORS = 100;
/** Maximum number of contexts that exist at the same time. */
const MAX_CONTEXTS = 64;
const DEFAULT_MAX_BYTES = 1 << 30;
const EGL_OPENGL_API = 0x30a2;

/**
 * Replays calls until a frame is complete.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for an unsupported function that affects the image, or
 *   for an error of OpenGL that the program did not get by the end of the next frame, FRAME_INVALID
 *   if the capture is damaged before the end of the frame or does not have it,
 *   SHADER_COMPILE_FAILED, LIMIT_EXCEEDED.
 */
export function replayFrame(calls: Iterable<CapturedCall>, options: ReplayOptions): ReplayedFrame {
  const replay = new FrameReplay(options);
  for (const call of calls) {
    const replayed = replay.run(call);
    if (replayed !== null) return replayed;
  }
  return replay.finish();
}

/**
 * Replays a capture that arrives in pieces and stops reading at the end of the frame.
 *
 * @throws {RenderError} Same codes as `replayFrame`.
 */
export async function replayFrameStream(
  batches: CallBatches,
  options: ReplayOptions,
): Promise<ReplayedFrame> {
  const replay = new FrameReplay(options);
  for await (const calls of batches) {
    for (const call of calls) {
      const replayed = replay.run(call);
      if (replayed !== null) return replayed;
    }
  }
  return replay.finish();
}

/** Counts frames during the replay and records the draws of the requested frame. */
export class FrameReplay {
  readonly #replay: Replay;
  #frame: CaptureFrame;
  #swaps = 0;
  /** Complete frame with errors that the program may yet ask for. */
  #held: ReplayedFrame | null = null;

  constructor(options: ReplayOptions) {
    this.#replay = new Replay(options);
    this.#frame = options.frame;
    this.#replay.setRecording(this.#mayBeWanted());
  }

  /** Number of complete frames. */
  get frameCount(): number {
    return this.#swaps;
  }

  /**
   * Requests another frame, once the last one is complete.
   *
   * @param frameIndex Index of the frame, at least {@link frameCount}.
   */
  request(frameIndex: number): void {
    this.#frame = frameIndex;
    this.#replay.setRecording(this.#mayBeWanted());
  }

  /** Whether the frame is complete and calls are not replayed, only searched for `glGetError`. */
  get isComplete(): boolean {
    return this.#held !== null;
  }

  /**
   * Replays one call. Returns the frame if it is complete and its errors are confirmed, otherwise
   * `null`.
   */
  run(call: CapturedCall): ReplayedFrame | null {
    if (!call.isComplete) return null;
    if (this.#held === null) return this.#hold(this.#runCall(call));
    return this.#replay.searchErrors(call) ? this.#release() : null;
  }

  /** Returns a complete frame unless an error is unconfirmed. */
  #hold(completed: ReplayedFrame | null): ReplayedFrame | null {
    if (completed === null || !this.#replay.errorCheck.isWaiting) return completed;
    this.#held = completed;
    return null;
  }

  #release(): ReplayedFrame {
    const held = this.#held!;
    this.#held = null;
    this.#replay.errorCheck.requireNone();
    return held;
  }

  #runCall(call: CapturedCall): ReplayedFrame | null {
    const swapped = this.#replay.run(call);
    const frame = this.#frame;
    if (typeof frame === 'object' && call.number >= frame.call) {
      const readsPixels = call.name === 'glReadPixels';
      return swapped === null ? this.#takeBound(readsPixels) : this.#take(swapped);
    }
    if (swapped === null) return null;
    if (this.#swaps === frame) return this.#take(swapped);
    swapped.gl.frames.endSkipped();
    this.#swaps++;
    this.#replay.setRecording(this.#mayBeWanted());
    return null;
  }

  /**
   * Ends the capture, which completes a frame after the last swap.
   *
   * @throws {RenderError} FRAME_INVALID if the requested frame is not complete.
   */
  finish(): ReplayedFrame {
    if (this.#held === null) this.#held = this.#finishFrame();
    return this.#release();
  }

  #finishFrame(): ReplayedFrame {
    const frame = this.#frame;
    if (typeof frame === 'object') {
      throw new RenderError('FRAME_INVALID', `call ${frame.call}: the capture ends before it`);
    }
    const isAfterSwaps = this.#swaps === frame && this.#replay.lastContext !== null;
    if (frame === 'end' || isAfterSwaps) {
      const taken = this.#takeBound(false);
      // After swaps, an empty rest is no frame.
      if (frame === 'end' || this.#swaps === 0 || !isEmpty(taken.frame)) return taken;
    }
    throw new RenderError(
      'FRAME_INVALID',
      `frame ${frame}: the capture has only ${this.#swaps} frames`,
    );
  }

  /** Whether the frame in progress may be the requested one. */
  #mayBeWanted(): boolean {
    return typeof this.#frame !== 'number' || this.#frame === this.#swaps;
  }

  #take(context: RecordedContext): ReplayedFrame {
    const frame = context.gl.frames.take();
    this.#swaps++;
    return this.#describe(frame, context);
  }

  /**
   * Takes the frame with the image of the framebuffer that is bound.
   *
   * @param isRead Whether the framebuffer for reading is meant, not that for drawing.
   */
  #takeBound(isRead: boolean): ReplayedFrame {
    const context = this.#replay.lastContext;
    if (context === null) {
      throw new RenderError('FRAME_INVALID', 'the capture has no context when the frame ends');
    }
    return this.#describe(context.gl.frames.takeBound(isRead), context);
  }

  #describe(frame: Frame, context: RecordedContext): ReplayedFrame {
    const { errors, unknownFunctions, feedbackDraws, countedQueries } = this.#replay;
    const name = typeof this.#frame === 'number' ? `frame ${this.#frame}` : 'the frame';
    const empty = `${name} draws nothing; \`capture info\` lists frames with their draws`;
    return {
      frame,
      errors: [...errors],
      unknownFunctions: [...unknownFunctions],
      notes: [
        ...context.notes,
        ...describeRuns(feedbackDraws, countedQueries),
        ...(isEmpty(frame) ? [empty] : []),
      ],
    };
  }
}

function hasFeedback({ passes }: Frame): boolean {
  return passes.some(({ target }) => target?.kind === 'feedback');
}

function isEmpty({ passes }: Frame): boolean {
  return passes.every(({ draws }) => draws.length === 0);
}

interface Route {
  readonly role: CallRole;
  /** Replay of an OpenGL function; `null` for functions that are not OpenGL's. */
  readonly replay: CallReplay | null;
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Context of a thread with the drawable that its screen is. */
interface CurrentContext {
  readonly context: RecordedContext;
  readonly drawable: string;
}

class Replay {
  readonly errors: ReplayError[] = [];
  readonly errorCheck = new ErrorCheck<RecordedContext>();
  readonly unknownFunctions = new Set<string>();
  /** Number of draws that transform feedback has captured. */
  feedbackDraws = 0;
  /** Number of times that queries of conditional rendering were counted. */
  countedQueries = 0;
  readonly #reflection: ProgramReflection;
  readonly #feedbackRenderer: FrameRenderer | undefined;
  readonly #maxBytes: number;
  /** Budget shared by all contexts, so that many contexts hold no more than one. */
  readonly #budget: ByteBudget;
  readonly #contexts = new Map<string, RecordedContext>();
  readonly #currentByThread = new Map<number, CurrentContext>();
  readonly #routeByName = new Map<string, Route>();
  /** Size of each drawable, taken from the viewport calls that the tracer inserts. */
  readonly #sizeByDrawable = new Map<string, Size>();
  #eglDialect: GlDialect = 'gles2';
  #isRecording = false;
  #call: CapturedCall | null = null;
  #lastContext: RecordedContext | null = null;

  constructor({ reflection, feedbackRenderer, maxBytes = DEFAULT_MAX_BYTES }: ReplayOptions) {
    this.#reflection = reflection;
    this.#feedbackRenderer =
      feedbackRenderer &&
      ((frame) => {
        if (hasFeedback(frame)) this.feedbackDraws++;
        else this.countedQueries++;
        return feedbackRenderer(frame);
      });
    this.#maxBytes = maxBytes;
    this.#budget = new ByteBudget(maxBytes);
  }

  /** Context of the latest call of OpenGL; `null` before the first. */
  get lastContext(): RecordedContext | null {
    return this.#lastContext;
  }

  /** Enables recording. Frames before the requested one contribute only their state. */
  setRecording(isRecording: boolean): void {
    this.#isRecording = isRecording;
    for (const { gl } of this.#contexts.values()) gl.frames.isWanted = isRecording;
  }

  /** Replays a call. Returns the context whose frame it completes, otherwise `null`. */
  run(call: CapturedCall): RecordedContext | null {
    this.#call = call;
    this.#currentByThread.get(call.thread)?.context.requirePlacedCopy(call);
    const { role, replay } = this.#routeOf(call.name);
    switch (role) {
      case 'ends frame':
        return this.#currentByThread.get(call.thread)?.context ?? null;
      case 'creates context':
        this.#createContext(call);
        break;
      case 'shares objects':
        this.#shareObjects(call);
        break;
      case 'makes current':
        this.#makeCurrent(call);
        break;
      case 'binds API':
        this.#eglDialect = numberOf(call, 'api') === EGL_OPENGL_API ? 'gl' : 'gles2';
        break;
      case 'destroys context':
        this.#destroyContext(namedContext(call) ?? '');
        break;
      case 'refused':
        return refuseCall(call, 'the function is not supported');
      case 'unknown':
        this.unknownFunctions.add(call.name);
        break;
      case 'OpenGL':
        this.#runGl(call, replay!);
        break;
      case 'without effect':
        this.#compareErrors(call);
        break;
    }
    return null;
  }

  /**
   * Looks for the result of `glGetError` in a call that is not replayed.
   *
   * @returns Whether the search ends: no error waits, or the next frame or another context begins.
   */
  searchErrors(call: CapturedCall): boolean {
    const { role } = this.#routeOf(call.name);
    this.#compareErrors(call);
    return !this.errorCheck.isWaiting || role === 'ends frame' || role === 'makes current';
  }

  #compareErrors({ name, thread, result }: CapturedCall): void {
    if (name !== 'glGetError') return;
    const current = this.#currentByThread.get(thread);
    if (current !== undefined) this.errorCheck.compare(current.context, Number(result));
  }

  #routeOf(functionName: string): Route {
    const known = this.#routeByName.get(functionName);
    if (known !== undefined) return known;
    const replay = findReplay(functionName);
    const role = replay === null ? roleOf(functionName) : 'OpenGL';
    const route = { role, replay };
    this.#routeByName.set(functionName, route);
    return route;
  }

  #runGl(call: CapturedCall, replay: CallReplay): void {
    const current = this.#currentByThread.get(call.thread);
    if (current === undefined) {
      if (!isOpenGl(call.name)) return;
      throw new RenderError(
        'FRAME_INVALID',
        `call ${call.number} (${call.name}): no context is current on thread ${call.thread}`,
      );
    }
    if (specifiesProxy(call)) return;
    this.#lastContext = current.context;
    if (call.name === 'glViewport') this.#learnSize(call, current);
    try {
      const { context } = current;
      context.gl.fixedFunctions.submit(call.name, () => replay(context, call));
    } catch (error) {
      if (!(error instanceof RenderError) || error.message.startsWith('call ')) throw error;
      const message = `call ${call.number} (${call.name}): ${error.message}`;
      throw new RenderError(error.code, message, { cause: error });
    }
  }

  #destroyContext(key: string): void {
    const context = this.#contexts.get(key);
    if (context !== undefined) this.errorCheck.forget(context);
    this.#contexts.delete(key);
  }

  #createContext(call: CapturedCall): void {
    const key = createdContext(call);
    if (key === null) return;
    if (this.#contexts.size >= MAX_CONTEXTS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `call ${call.number} (${call.name}): more than ${MAX_CONTEXTS} contexts`,
      );
    }
    const shareKey = sharedContext(call);
    this.#addContext(key, shareKey === null ? undefined : this.#contexts.get(shareKey), call);
  }

  /**
   * Applies sharing that is requested after the creation of the second context. That context must
   * not have objects yet.
   */
  #shareObjects(call: CapturedCall): void {
    const [first, second] = [keyOf(call.args.hglrc1), keyOf(call.args.hglrc2)];
    const sharing = first === null ? undefined : this.#contexts.get(first);
    if (second !== null && sharing !== undefined && this.#contexts.has(second)) {
      this.#addContext(second, sharing, call);
    }
  }

  #addContext(key: string, sharing: RecordedContext | undefined, call: CapturedCall): void {
    const gl = new GlContext({
      dialect: call.name.startsWith('egl') ? this.#eglDialect : 'gl',
      widthPx: 0,
      heightPx: 0,
      reflection: this.#reflection,
      feedbackRenderer: this.#feedbackRenderer,
      onError: (error) => this.#noteError(error, () => context),
      shared: sharing?.gl.shared ?? new SharedObjects(this.#budget),
      maxFrameBytes: this.#maxBytes,
    });
    gl.frames.isWanted = this.#isRecording;
    const context = new RecordedContext(gl, sharing?.shared);
    this.#contexts.set(key, context);
  }

  #makeCurrent(call: CapturedCall): void {
    const contextKey = namedContext(call);
    const context = contextKey === null ? undefined : this.#contexts.get(contextKey);
    if (context === undefined) {
      this.#currentByThread.delete(call.thread);
      return;
    }
    const drawable = namedDrawable(call);
    const size = this.#sizeByDrawable.get(drawable);
    if (size !== undefined) context.gl.targets.resize(size.widthPx, size.heightPx);
    this.#currentByThread.set(call.thread, { context, drawable });
  }

  /**
   * Records the size of the current drawable from the viewport call that the tracer inserts, or
   * from the first viewport without one. The tracer does not record that a window was resized, but
   * programs then set a larger viewport, with which a drawable grows as in Mesa's replay.
   */
  #learnSize(call: CapturedCall, { context, drawable }: CurrentContext): void {
    const known = this.#sizeByDrawable.get(drawable);
    if (!call.isFake && known !== undefined && context.gl.framebuffers.drawFramebuffer !== null) {
      return;
    }
    const least = call.isFake || known === undefined ? { widthPx: 0, heightPx: 0 } : known;
    const widthPx = Math.max(numberOf(call, 'x') + numberOf(call, 'width'), least.widthPx);
    const heightPx = Math.max(numberOf(call, 'y') + numberOf(call, 'height'), least.heightPx);
    if (widthPx === known?.widthPx && heightPx === known.heightPx) return;
    this.#sizeByDrawable.set(drawable, { widthPx, heightPx });
    context.gl.targets.resize(widthPx, heightPx);
  }

  #noteError(error: GlErrorRecord, context: () => RecordedContext): void {
    const { number, name } = this.#call!;
    const at = `call ${number} (${name})`;
    if (error.code === GL.OUT_OF_MEMORY) {
      throw new RenderError('LIMIT_EXCEEDED', `${at}: ${error.message}`);
    }
    const message = `${nameOfEnum(error.code)}: ${error.message}`;
    const noted = { code: error.code, message, callNumber: number, functionName: name };
    this.errorCheck.note(context(), noted, error.isCertain);
    if (this.errors.length < MAX_ERRORS) this.errors.push(noted);
  }
}
