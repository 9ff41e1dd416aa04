/** WebGL's context attributes: their checks, and their conversion in `getContext` of a canvas. */
import type { ContextAttributes } from '../context/context-core.ts';
import { type ChecksOf, flag, formatValue, wordOf } from './option-checks.ts';

const POWER_PREFERENCES = ['default', 'high-performance', 'low-power'] as const;

/** Checks of the attributes by name. */
export const ATTRIBUTE_CHECKS = {
  alpha: flag,
  depth: flag,
  stencil: flag,
  antialias: flag,
  premultipliedAlpha: flag,
  preserveDrawingBuffer: flag,
  powerPreference: wordOf(POWER_PREFERENCES),
  failIfMajorPerformanceCaveat: flag,
  desynchronized: flag,
} satisfies ChecksOf<ContextAttributes>;

/**
 * Returns WebGL's attributes among the second argument of `getContext`, converted as WebIDL
 * converts a dictionary. Other names are omitted, and all attributes except the power preference
 * become booleans.
 *
 * @throws {TypeError} If the power preference is unknown.
 */
export function readContextAttributes(given: object): Partial<ContextAttributes> {
  const attributes: Record<string, unknown> = {};
  for (const name of Object.keys(ATTRIBUTE_CHECKS)) {
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (name !== 'powerPreference') attributes[name] = Boolean(value);
    else if (POWER_PREFERENCES.some((preference) => preference === String(value)))
      attributes[name] = String(value);
    else
      throw new TypeError(
        `powerPreference: ${formatValue(value)} is not one of ${POWER_PREFERENCES.join(', ')}`,
      );
  }
  return attributes;
}
