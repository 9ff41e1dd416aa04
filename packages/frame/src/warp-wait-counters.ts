/**
 * Counters of what warps do in their slots: cycles of warps by kind. The kinds add up to the cycles
 * in which slots hold a vertex or a fragment warp.
 */
import type { CounterInfo } from './counters.ts';

/** Meaning of each kind, in the order in which a warp goes through them. */
const WARP_WAIT_MEANINGS = {
  start: 'was on its way from the task scheduler to its slot',
  registers: 'waited because the core had too few free registers',
  program: 'waited for instructions of its program',
  constants: 'waited for uniform values of its draw',
  ready: 'could issue, but another warp had the issue port',
  issue: 'had the issue port of its core',
  operands: 'waited for results of its earlier instructions',
  lookup: 'waited for its texture unit to take a lookup',
  texels: 'waited for a texture lookup whose lines were in the texture unit’s cache',
  texelsL2: 'waited for a texture lookup with a line of the second-level cache',
  texelsDram: 'waited for a texture lookup with a line of local memory',
  texelsRemote: 'waited for a texture lookup with a line of the memory of another chiplet',
  output: 'had run, but the core had no room or no turn to pass it on',
  results: 'was a shaded vertex warp for which primitive assembly had no room',
} as const;

/** Name of a kind of a warp's cycles. */
export type WarpWait = keyof typeof WARP_WAIT_MEANINGS;

/** Kinds of waits for a texture lookup. */
export const LOOKUP_WAIT_NAMES = [
  'lookup',
  'texels',
  'texelsL2',
  'texelsDram',
  'texelsRemote',
] as const satisfies readonly WarpWait[];
/** Name of a kind of wait for a texture lookup. */
export type LookupWait = (typeof LOOKUP_WAIT_NAMES)[number];

/** Name of a counter of warps' cycles, such as `shaderCore.warpCyclesTexelsDram`. */
export type WarpWaitCounterName = `shaderCore.warpCycles${Capitalize<WarpWait>}`;

/** All kinds, in the order in which a warp goes through them. */
export const WARP_WAITS = Object.keys(WARP_WAIT_MEANINGS) as readonly WarpWait[];

/** Returns the name of the counter of a kind. */
export function warpWaitCounterOf(kind: WarpWait): WarpWaitCounterName {
  return `shaderCore.warpCycles${kind[0]!.toUpperCase()}${kind.slice(1)}` as WarpWaitCounterName;
}

/** Counters of warps' cycles by name, in the order of {@link WARP_WAITS}. */
export const WARP_WAIT_COUNTERS = Object.fromEntries(
  Object.entries(WARP_WAIT_MEANINGS).map(([kind, meaning]) => [
    warpWaitCounterOf(kind as WarpWait),
    { unit: 'warp-cycles', meaning: `for a cycle, a warp ${meaning}` },
  ]),
) as Record<WarpWaitCounterName, CounterInfo>;
