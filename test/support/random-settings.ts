/** Random settings of the simulated GPU, for comparisons of estimates with the service. */
import {
  BIN_ASSIGNMENT_POLICIES,
  OVERLAP_MODES,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/estimate';
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** Settings by the name of their query parameter. */
export type Settings = Readonly<Record<string, string | number>>;

/** Returns settings of 1 to 64 chiplets with any policy, link and overlap. */
export function randomSettings({ next, integer, pick }: SeededRandom): Settings {
  return {
    chiplets: integer(1, 64),
    policy: pick(Object.keys(BIN_ASSIGNMENT_POLICIES)),
    linkTopology: pick(TOPOLOGY_NAMES),
    linkBytesPerCycle: 1 + Math.floor(2 ** (next() * 14)),
    linkLatencyCycles: Math.floor(2 ** (next() * 12)) - 1,
    overlap: pick(OVERLAP_MODES),
  };
}

/** Returns settings as a query. */
export function queryOf(settings: Settings): URLSearchParams {
  return new URLSearchParams(
    Object.entries(settings).map(([name, value]) => [name, String(value)]),
  );
}
