import type { GlslType } from '../../tree/types.ts';
import type { ExtensionName } from './extensions.ts';

/** One overload of a built-in function. */
export interface BuiltInSignature {
  readonly name: string;
  readonly returnType: GlslType;
  readonly parameterTypes: readonly GlslType[];
  /** Indices of `out` parameters. */
  readonly outParameters: readonly number[];
  /** Whether a call with constant arguments is a constant expression. */
  readonly isConstant: boolean;
  /** Extensions of which one has to be enabled; none for a function of the core. */
  readonly extensions: readonly ExtensionName[];
}
