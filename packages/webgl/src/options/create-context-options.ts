/** Options of `createContext` and `createServiceContext`. */
import type { ReportFailure } from '../compiler/guard-compiler.ts';
import type { ContextAttributes } from '../context/context-core.ts';
import type { WebGlErrorRecord } from '../context/context-errors.ts';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import type { SimulatedGpuChoice } from './simulated-gpu-choice.ts';

/** Attributes of WebGL, what headless-gl adds, and what is simulated. */
export interface CreateContextOptions extends Partial<ContextAttributes> {
  /** Whether the context is one of WebGL 2; it is one of WebGL 1 otherwise. */
  readonly createWebGL2Context?: boolean | undefined;
  /** The simulated GPU: chiplets, policy, timing, specification. */
  readonly gpu?: SimulatedGpuChoice | undefined;
  /** Called for each GL error with a message, which `getError` has not. */
  readonly onError?: ((error: WebGlErrorRecord) => void) | undefined;
  /**
   * Called for each bug of Tessera that a call ran into; the call fails as it may for other reasons. Missing: each is a
   * warning of the process.
   */
  readonly onInternalFailure?: ReportFailure | undefined;
}

/** As {@link CreateContextOptions}, for frames that a running service renders. */
export interface CreateServiceContextOptions extends Omit<CreateContextOptions, 'gpu'> {
  readonly service: ServiceOptions;
}
