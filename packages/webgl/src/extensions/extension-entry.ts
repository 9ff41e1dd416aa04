import type { CallTable } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';

/** Description of one extension. Its constants are in `interface/`. */
export interface ExtensionEntry {
  /** WebGL versions that offer the extension. */
  readonly versions: readonly (1 | 2)[];
  readonly calls?: CallTable;
  /** Name in GLSL's `#extension` directive. */
  readonly shaderName?: string;
  /** Capabilities of `enable` and `disable` that the extension adds. */
  readonly capabilities?: readonly number[];
  /** Further effect of enabling the extension. */
  readonly enable?: (core: ContextCore) => void;
  /** Whether only contexts offer it whose frames have simulated time. */
  readonly needsTime?: boolean;
  /** Extensions that are enabled together with this one. */
  readonly implies?: readonly string[];
}

/** Extensions of one topic by canonical name. */
export type ExtensionGroup = Readonly<Record<string, ExtensionEntry>>;

/** Versions of an extension that both have. */
export const BOTH = [1, 2] as const;
/** Versions of an extension that only WebGL 1 has. */
export const FIRST = [1] as const;
/** Versions of an extension that only WebGL 2 has. */
export const SECOND = [2] as const;
