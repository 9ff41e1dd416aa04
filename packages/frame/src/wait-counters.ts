/**
 * Counters of what units wait for: cycles in which a unit is starved or stalled, by kind of wait.
 * The kinds of a unit add up to its starved and its stalled cycles.
 */
import type { CounterInfo } from './counters.ts';

/** Meaning of each kind of wait. */
export const WAIT_MEANINGS = {
  input: 'waits for the unit before, which has sent nothing',
  output: 'waits for room in the unit behind',
  l2: 'waits for lines of the second-level cache, or for its turn to request them',
  dram: 'waits for lines of local memory',
  remote: 'waits for lines of the memory of another chiplet',
  requests: 'waits for the memory system to take a request',
  misses: 'waits for one of the lines in flight, which are as many as may be',
  shading: 'waits for vertices or fragments that are being shaded',
  operands: 'waits for results of earlier instructions of its warps',
  texels: 'waits for results of texture lookups',
  program: 'waits for instructions of its warps',
  constants: 'waits for uniform values of its warps',
  registers: 'waits for registers for its warps',
  results: 'waits for room for the results of a vertex warp',
  slots: 'waits for a free warp slot',
  bin: 'waits for a bin that the chiplet may render',
  visibility: 'waits for segments of streamed visibility, or for their decoder',
  copies: 'waits for copies of textures, or for pixels of other chiplets that are being stored',
  programs: 'waits for on-chip blocks for the programs of a draw',
  target: 'waits for on-chip memory for the pixels of the next bin',
  batches: 'waits for a free batch buffer',
} as const;

/** Name of a kind of wait. */
export type WaitName = keyof typeof WAIT_MEANINGS;

/** Kinds of waits in which a unit is starved, and in which it is stalled. */
export interface UnitWaits {
  readonly starved: readonly WaitName[];
  readonly stalled: readonly WaitName[];
}

/** Memories of lines that are always in local memory, and of lines that may be in another one. */
const LOCAL = ['l2', 'dram'] as const;
const MEMORY = [...LOCAL, 'remote'] as const;
const PLAIN = { starved: ['input'], stalled: ['output'] } as const;

/** Kinds of waits by unit. */
export const UNIT_WAITS = {
  commandProcessor: {
    starved: [...MEMORY, 'requests', 'visibility', 'bin'],
    stalled: ['output', 'requests', 'programs', 'copies'],
  },
  vertexFetch: { starved: ['input'], stalled: ['output', ...MEMORY, 'requests'] },
  primitiveAssembly: { starved: ['input', 'shading'], stalled: ['output', 'requests'] },
  clipCull: PLAIN,
  triangleSetup: PLAIN,
  fineBinner: { starved: ['input'], stalled: ['output', 'requests', 'batches'] },
  fineBinReader: { starved: ['input', ...LOCAL, 'requests'], stalled: ['output'] },
  tileTraversal: { starved: ['input'], stalled: ['output', 'target'] },
  earlyDepth: { starved: ['input'], stalled: ['output', ...LOCAL, 'requests', 'target'] },
  warpPacking: PLAIN,
  interpolator: PLAIN,
  taskScheduler: { starved: ['input'], stalled: ['output', 'slots'] },
  shaderCore: {
    starved: [
      ...(['input', 'output', 'operands', 'texels', 'program', 'constants'] as const),
      ...(['registers', 'results'] as const),
    ],
    stalled: ['output'],
  },
  textureUnit: { starved: ['input'], stalled: [...MEMORY, 'requests'] },
  outputMerger: {
    starved: ['input', ...LOCAL, 'shading'],
    stalled: ['output', ...LOCAL, 'requests'],
  },
  outputBus: { starved: ['input', ...LOCAL], stalled: ['requests'] },
  l2Cache: { starved: ['input'], stalled: ['misses'] },
  copyEngine: { starved: ['input', ...MEMORY, 'requests'], stalled: ['requests'] },
  remoteServer: { starved: ['input'], stalled: LOCAL },
  pageWalker: { starved: ['input'], stalled: [] },
  dram: { starved: ['input'], stalled: [] },
} as const satisfies Record<string, UnitWaits>;

type Waits = typeof UNIT_WAITS;

/** Name of a counter of waits, such as `textureUnit.stalledDram`. */
export type WaitCounterName = {
  [Unit in keyof Waits]: {
    [State in keyof Waits[Unit] & string]: Waits[Unit][State] extends readonly (infer Kind)[]
      ? `${Unit}.${State}${Capitalize<Kind & string>}`
      : never;
  }[keyof Waits[Unit] & string];
}[keyof Waits];

/** Returns the name of the counter of a unit's waits of a kind. */
export function waitCounterOf(
  unit: keyof Waits,
  state: keyof UnitWaits,
  kind: WaitName,
): WaitCounterName {
  return `${unit}.${state}${kind[0]!.toUpperCase()}${kind.slice(1)}` as WaitCounterName;
}

/** Wait of a unit: its state, the kind, and the counter of its cycles. */
export interface UnitWait {
  readonly state: keyof UnitWaits;
  readonly kind: WaitName;
  readonly counter: WaitCounterName;
}

/** Lists the waits of a unit. */
export function listWaits(unit: keyof Waits): UnitWait[] {
  return (['starved', 'stalled'] as const).flatMap((state) =>
    UNIT_WAITS[unit][state].map((kind) => ({
      state,
      kind,
      counter: waitCounterOf(unit, state, kind),
    })),
  );
}

/** Counters of waits by name, in the order of {@link UNIT_WAITS}. */
export const WAIT_COUNTERS = Object.fromEntries(
  Object.keys(UNIT_WAITS)
    .flatMap((unit) => listWaits(unit as keyof Waits))
    .map(({ state, kind, counter }): [WaitCounterName, CounterInfo] => [
      counter,
      {
        unit: 'cycles',
        meaning: `a cycle in which the unit is ${state} and ${WAIT_MEANINGS[kind]}`,
      },
    ]),
) as Record<WaitCounterName, CounterInfo>;
