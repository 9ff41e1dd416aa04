import type { GlslType } from '../../tree/types.ts';
import type { ExtensionName } from './extensions.ts';

/** One form of a built-in function. */
export interface BuiltInSignature {
  readonly name: string;
  readonly returnType: GlslType;
  readonly parameterTypes: readonly GlslType[];
  /** Positions of `out` parameters. */
  readonly outParameters: readonly number[];
  /** Whether a call with constant arguments is a constant expression. */
  readonly isConstant: boolean;
  /** The extension that has to be on, else null. */
  readonly extension: ExtensionName | null;
}
