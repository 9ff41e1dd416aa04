/** Options of `createContext` and `createServiceContext`. */
import type { ReportFailure } from '../compiler/guard-compiler.ts';
import type { ContextAttributes } from '../context/context-core.ts';
import type { WebGlErrorRecord } from '../context/context-errors.ts';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import type { SimulatedGpuChoice } from '../frames/simulated-gpu-choice.ts';

/** WebGL's context attributes, the options of headless-gl, and the simulated GPU. */
export interface CreateContextOptions extends Partial<ContextAttributes> {
  /** Whether to create a WebGL 2 context; WebGL 1 by default. */
  readonly createWebGL2Context?: boolean | undefined;
  /** Simulated GPU: chiplets, policy, timing, specification. */
  readonly gpu?: SimulatedGpuChoice | undefined;
  /** Called for each GL error with its message, which `getError` does not return. */
  readonly onError?: ((error: WebGlErrorRecord) => void) | undefined;
  /**
   * Called for each bug or limit of Tessera that a call meets. The call raises OUT_OF_MEMORY, or
   * the compilation or link fails. Without a callback, each failure becomes a process warning.
   */
  readonly onInternalFailure?: ReportFailure | undefined;
}

/** Options of a context whose frames are rendered by a running service. */
export interface CreateServiceContextOptions extends Omit<CreateContextOptions, 'gpu'> {
  readonly service: ServiceOptions;
}
