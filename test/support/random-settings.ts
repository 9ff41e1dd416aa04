/** Random settings of the simulated GPU, for comparisons of estimates with the service. */
import {
  BIN_ASSIGNMENT_POLICIES,
  OVERLAP_MODES,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/estimate';

/** Settings by the name of their query parameter. */
export type Settings = Readonly<Record<string, string | number>>;

/** Returns numbers from 0 to below 1 that look random (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns settings of 1 to 64 chiplets with any policy, link and overlap. */
export function randomSettings(random: () => number): Settings {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  return {
    chiplets: 1 + Math.floor(random() * 64),
    policy: pick(Object.keys(BIN_ASSIGNMENT_POLICIES)),
    linkTopology: pick(TOPOLOGY_NAMES),
    linkBytesPerCycle: 1 + Math.floor(2 ** (random() * 14)),
    linkLatencyCycles: Math.floor(2 ** (random() * 12)) - 1,
    overlap: pick(OVERLAP_MODES),
  };
}

/** Returns settings as a query. */
export function queryOf(settings: Settings): URLSearchParams {
  return new URLSearchParams(
    Object.entries(settings).map(([name, value]) => [name, String(value)]),
  );
}
