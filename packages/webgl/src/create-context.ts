/**
 * Contexts without a page, in the style of headless-gl. Frames are rendered by a simulated GPU in
 * this process or by a service.
 */
import { GlContext, RULES_BY_DIALECT } from '@tessera/gl';
import type { PartObserver } from '@tessera/local-gpu';
import { guardCompiler, warnOfFailure } from './compiler/guard-compiler.ts';
import { createShaderReflection } from './compiler/shader-reflection.ts';
import type { ContextObject } from './context/call-table.ts';
import { type ContextAttributes, ContextCore } from './context/context-core.ts';
import { ContextLoss } from './context/context-loss.ts';
import type { DrawnFrame } from './frames/frame-source.ts';
import { InProcessSource } from './frames/in-process-source.ts';
import { type ServedFrame, ServiceSource } from './frames/service-source.ts';
import {
  checkContextOptions,
  checkServiceContextOptions,
  readDrawingBufferSize,
} from './options/check-options.ts';
import type {
  CreateContextOptions,
  CreateServiceContextOptions,
} from './options/create-context-options.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';

/** Members that a context has in addition to WebGL. */
interface Drawable<Frame = DrawnFrame> {
  /** Whether the drawing buffer has changes that the next frame would show. */
  readonly hasImage: boolean;
  /** Ends the frame and returns its image and report. */
  frame(): Frame;
  /** Ends the frame without rendering it. */
  skipFrame(): void;
  /** Resizes the drawing buffer. */
  resize(width: number, height: number): void;
  /**
   * Loses the context for good, as in headless-gl: calls do nothing. Its memory is free once the
   * program has no reference to it.
   */
  destroy(): void;
}

/** WebGL 1 context of the DOM's type, with frames. */
export type TesseraContext = globalThis.WebGLRenderingContext & Drawable;
/** WebGL 2 context of the DOM's type, with frames. */
export type TesseraContext2 = globalThis.WebGL2RenderingContext & Drawable;

/** Context whose frames are rendered by a service. */
export type TesseraServiceContext = globalThis.WebGL2RenderingContext &
  Drawable<Promise<ServedFrame>>;

/**
 * Creates a context whose frames are rendered by a running service. `frame` posts the recorded
 * draws and waits for the result. All other calls are answered in this process without waiting. The
 * type is that of WebGL 2; a WebGL 1 context has fewer methods.
 *
 * @throws {TypeError | RangeError} In the same cases as {@link createContext}.
 */
export function createServiceContext(
  width: number,
  height: number,
  given: CreateServiceContextOptions,
): TesseraServiceContext {
  checkServiceContextOptions(given);
  const { service, ...options } = given;
  const context = makeContext(width, height, options, () => new ServiceSource(service));
  return context as unknown as TesseraServiceContext;
}

/**
 * Creates a context whose frames are rendered by a simulated GPU in this process.
 *
 * @param width Edges of the drawing buffer in pixels, 1 to 8192. As in headless-gl, fractions are
 *   dropped and texts of numbers are accepted.
 * @throws {RangeError} If the size or the value of an option is out of range.
 * @throws {TypeError} If an option is unknown or of the wrong type. The message names the option
 *   and the accepted values.
 *
 * @example
 *     const gpu = { chipletCount: 4, timing: 'cycle' };
 *     const gl = createContext(64, 64, { createWebGL2Context: true, gpu });
 *     gl.clearColor(1, 0, 0, 1);
 *     gl.clear(gl.COLOR_BUFFER_BIT);
 *     const { image, report } = gl.frame();
 */
export function createContext(
  width: number,
  height: number,
  options: CreateContextOptions & { readonly createWebGL2Context: true },
): TesseraContext2;
export function createContext(
  width: number,
  height: number,
  options?: CreateContextOptions | null,
): TesseraContext;
export function createContext(
  width: number,
  height: number,
  given?: CreateContextOptions | null,
): TesseraContext | TesseraContext2 {
  return createObservedContext(width, height, given ?? {}, () => {});
}

/**
 * Creates a context like {@link createContext}.
 *
 * @param onPart Called with each part of a frame before it is rendered. A frame has one part unless
 *   the program reads what it drew.
 */
export function createObservedContext(
  width: number,
  height: number,
  options: CreateContextOptions,
  onPart: PartObserver,
): TesseraContext | TesseraContext2 {
  checkContextOptions(options);
  const makeSource = () => new InProcessSource(options.gpu, onPart);
  const context = makeContext(width, height, options, makeSource);
  // The methods are installed on the prototype at run time, so the compiler cannot see them.
  return context as unknown as TesseraContext | TesseraContext2;
}

function makeContext(
  width: number,
  height: number,
  options: CreateContextOptions,
  makeSource: () => InProcessSource | ServiceSource,
): WebGLRenderingContext | WebGL2RenderingContext {
  const [widthPx, heightPx] = readDrawingBufferSize(width, height);
  const isWebGL2 = options.createWebGL2Context === true;
  const attributes = completeAttributes(options);
  const source = makeSource();
  const reportFailure = options.onInternalFailure ?? warnOfFailure;
  const makeCore = (coreWidthPx: number, coreHeightPx: number): ContextCore => {
    // The state machine is created before the core and already needs the set.
    const shaderNames = new Set<string>();
    return new ContextCore({
      rules: RULES_BY_DIALECT[isWebGL2 ? 'webgl2' : 'webgl1'],
      attributes,
      shaderNames,
      onError: options.onError,
      reportFailure,
      hasSimulatedTime: source.hasSimulatedTime,
      makeGl: (onError) =>
        new GlContext({
          dialect: isWebGL2 ? 'webgl2' : 'webgl1',
          widthPx: coreWidthPx,
          heightPx: coreHeightPx,
          onError,
          reflection: guardCompiler(
            createShaderReflection({
              version: isWebGL2 ? 2 : 1,
              extensions: shaderNames,
              compile: (...program) => source.gpu.programs.compile(...program),
            }),
            reportFailure,
          ),
          renderer: (frame) => source.gpu.render(frame),
          drawingBuffer: {
            hasAlpha: attributes.alpha,
            hasDepth: attributes.depth,
            hasStencil: attributes.stencil,
            isAntialiased: attributes.antialias,
            isPreserved: attributes.preserveDrawingBuffer,
          },
        }),
    });
  };
  const core = makeCore(widthPx, heightPx);
  const context = new (isWebGL2 ? WebGL2RenderingContext : WebGLRenderingContext)(core, source);
  core.loss = new ContextLoss(
    context as unknown as ContextObject & { readonly canvas: unknown },
    makeCore,
  );
  return context;
}

function completeAttributes(given: CreateContextOptions): ContextAttributes {
  return {
    alpha: given.alpha ?? true,
    depth: given.depth ?? true,
    stencil: given.stencil ?? false,
    antialias: given.antialias ?? true,
    premultipliedAlpha: given.premultipliedAlpha ?? true,
    preserveDrawingBuffer: given.preserveDrawingBuffer ?? false,
    powerPreference: given.powerPreference ?? 'default',
    failIfMajorPerformanceCaveat: given.failIfMajorPerformanceCaveat ?? false,
    desynchronized: given.desynchronized ?? false,
  };
}
