/**
 * Table of the supported extensions and what each one adds. Calls that accept formats or
 * enumerations of an extension check for it with `EnabledExtensions.isEnabled`.
 */
import { compressedExtensions } from './compressed-extensions.ts';
import { contextExtensions } from './context-extensions.ts';
import { drawExtensions } from './draw-extensions.ts';
import type { ExtensionEntry } from './extension-entry.ts';
import { rasterExtensions } from './raster-extensions.ts';
import { shaderExtensions } from './shader-extensions.ts';
import { targetExtensions } from './target-extensions.ts';
import { textureExtensions } from './texture-extensions.ts';
import { queryExtensions } from './timer-queries.ts';

const GROUPS = [
  compressedExtensions,
  contextExtensions,
  drawExtensions,
  queryExtensions,
  rasterExtensions,
  shaderExtensions,
  targetExtensions,
  textureExtensions,
];

/** Supported extensions by canonical name, in alphabetical order. */
export const EXTENSIONS: ReadonlyMap<string, ExtensionEntry> = new Map(
  GROUPS.flatMap((group) => Object.entries(group)).sort(([a], [b]) => (a < b ? -1 : 1)),
);
