import type { ShaderStage } from '../../tree/checked-tree.ts';
import type { ExtensionName } from './extensions.ts';
import type { GlslVersion } from './versions.ts';

/** Built-in functions that are available under the same conditions. */
export interface FunctionGroup {
  readonly versions: readonly GlslVersion[];
  readonly stages: readonly ShaderStage[];
  /** Extensions of which one has to be enabled; none for functions of the core. */
  readonly extensions?: readonly ExtensionName[];
  /** Whether calls with constant arguments are constant expressions. */
  readonly isConstant: boolean;
  /**
   * Signatures, one per line, in the notation of the specifications. `[float]` at the end is the
   * bias, which only fragment shaders may pass.
   */
  readonly signatures: string;
}

/** All stages with built-in functions. */
export const BOTH_STAGES: readonly ShaderStage[] = ['vertex', 'fragment'];
/** The vertex stage alone. */
export const VERTEX_STAGE: readonly ShaderStage[] = ['vertex'];
/** The fragment stage alone. */
export const FRAGMENT_STAGE: readonly ShaderStage[] = ['fragment'];
