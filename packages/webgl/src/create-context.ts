/** Contexts without a page, in the manner of headless-gl: WebGL 1 or 2 over a simulated GPU in this process. */
import { GlContext } from '@tessera/gl';
import { type ContextAttributes, ContextCore } from './context/context-core.ts';
import type { WebGlErrorRecord } from './context/context-errors.ts';
import { LIMITS } from './context/limits.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './context/rendering-context.ts';
import { createShaderReflection } from './context/shader-reflection.ts';
import type { DrawnFrame } from './frame-source.ts';
import { InProcessSource } from './in-process/in-process-source.ts';
import type { SimulatedGpuChoice } from './in-process/simulated-gpu.ts';

/** Attributes of WebGL, what headless-gl adds, and what is simulated. */
export interface CreateContextOptions extends Partial<ContextAttributes> {
  /** Whether the context is one of WebGL 2; it is one of WebGL 1 otherwise. */
  readonly createWebGL2Context?: boolean | undefined;
  /** The simulated GPU: chiplets, policy, timing, specification. */
  readonly gpu?: SimulatedGpuChoice | undefined;
  /** Called for each GL error with a message, which `getError` has not. */
  readonly onError?: ((error: WebGlErrorRecord) => void) | undefined;
}

/** What a context has beside WebGL. */
interface Drawable {
  /** Ends the frame and gives its picture and report. */
  frame(): DrawnFrame;
  /** Gives the drawing buffer another size. */
  resize(width: number, height: number): void;
}

/** As the DOM's type of the same name, with frames. */
export type TesseraContext = globalThis.WebGLRenderingContext & Drawable;
export type TesseraContext2 = globalThis.WebGL2RenderingContext & Drawable;

/**
 * Makes a context, or gives `null` for a size that a drawing buffer cannot have.
 *
 * @example
 * const gl = createContext(64, 64, { createWebGL2Context: true, gpu: { chipletCount: 4, timing: 'cycle' } });
 * gl.clearColor(1, 0, 0, 1);
 * gl.clear(gl.COLOR_BUFFER_BIT);
 * const { image, report } = gl.frame();
 */
export function createContext(
  width: number,
  height: number,
  options: CreateContextOptions & { readonly createWebGL2Context: true },
): TesseraContext2 | null;
export function createContext(
  width: number,
  height: number,
  options?: CreateContextOptions,
): TesseraContext | null;
export function createContext(
  width: number,
  height: number,
  options: CreateContextOptions = {},
): TesseraContext | TesseraContext2 | null {
  const [widthPx, heightPx] = [width | 0, height | 0];
  if (Math.min(widthPx, heightPx) < 1 || Math.max(widthPx, heightPx) > LIMITS.textureEdgePx) {
    return null;
  }
  const isWebGL2 = options.createWebGL2Context === true;
  const attributes = completeAttributes(options);
  const source = new InProcessSource(options.gpu);
  // The set is the core's, which is made after the state machine.
  const shaderNames = new Set<string>();
  const core = new ContextCore({
    isWebGL2,
    attributes,
    shaderNames,
    onError: options.onError,
    makeGl: (onError) =>
      new GlContext({
        dialect: isWebGL2 ? 'webgl2' : 'webgl1',
        widthPx,
        heightPx,
        onError,
        reflection: createShaderReflection({
          version: isWebGL2 ? 2 : 1,
          extensions: shaderNames,
          compile: (program) => source.gpu.programs.compile(program),
        }),
        renderer: (frame) => source.gpu.render(frame),
        drawingBuffer: {
          hasAlpha: attributes.alpha,
          hasDepth: attributes.depth,
          hasStencil: attributes.stencil,
          isPreserved: attributes.preserveDrawingBuffer,
        },
      }),
  });
  const context = new (isWebGL2 ? WebGL2RenderingContext : WebGLRenderingContext)(core, source);
  // Its methods are on the prototype, where the compiler does not see them.
  return context as unknown as TesseraContext | TesseraContext2;
}

function completeAttributes(given: CreateContextOptions): ContextAttributes {
  return {
    alpha: given.alpha ?? true,
    depth: given.depth ?? true,
    stencil: given.stencil ?? false,
    // The drawing buffer has one sample a pixel, whatever is asked for.
    antialias: false,
    premultipliedAlpha: given.premultipliedAlpha ?? true,
    preserveDrawingBuffer: given.preserveDrawingBuffer ?? false,
    powerPreference: given.powerPreference ?? 'default',
    failIfMajorPerformanceCaveat: given.failIfMajorPerformanceCaveat ?? false,
    desynchronized: given.desynchronized ?? false,
  };
}
