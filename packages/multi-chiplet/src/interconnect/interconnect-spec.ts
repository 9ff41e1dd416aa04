/**
 * Parameters of the crosslink between chiplets (patent US 12,051,154, ¶36: a passive link that
 * joins all of them). This table has their units, ranges and option names. A test compares
 * docs/interconnect.md with it.
 */
import { RenderError } from '@tessera/frame/errors';

/** Ways of connecting the chiplets. */
export const TOPOLOGIES = {
  bus: 'one channel that all chiplets share; a broadcast crosses it once and reaches all',
  ring: 'a channel in each direction between neighbors; a broadcast travels in both directions',
  full: 'a separate channel from each chiplet to each other; a broadcast uses all channels of the sender',
} as const;

/** Name of a topology. */
export type Topology = keyof typeof TOPOLOGIES;

/** Names of the topologies, in the order of the table. */
export const TOPOLOGY_NAMES = Object.keys(TOPOLOGIES) as readonly Topology[];

/** Names of the topologies of a link. Those after the crosslink's need the packet network. */
export const LINK_TOPOLOGY_NAMES = [...TOPOLOGY_NAMES, 'mesh', 'switch', 'packages'] as const;

/** Name of a topology of the crosslink or of the packet network. */
export type LinkTopology = (typeof LINK_TOPOLOGY_NAMES)[number];

/** Hardware of the crosslink. */
export interface InterconnectSpec {
  readonly topology: LinkTopology;
  /** Bytes that one channel carries per cycle in one direction. */
  readonly bytesPerCycle: number;
  /** Cycles from the first byte sent to the first byte received, over one channel. */
  readonly latencyCycles: number;
}

/** Unit, range and meaning of the parameters that are integers. */
export const INTERCONNECT_FIELDS = {
  bytesPerCycle: {
    unit: 'bytes per cycle',
    min: 1,
    max: 65_536,
    meaning: 'a channel carries in one direction',
  },
  latencyCycles: {
    unit: 'cycles',
    min: 0,
    max: 100_000,
    meaning: 'from a byte sent to the byte received, over one channel',
  },
} as const satisfies Record<
  Exclude<keyof InterconnectSpec, 'topology'>,
  { unit: string; min: number; max: number; meaning: string }
>;

/**
 * Crosslink that every study starts from. The patent gives no figures. 32 cycles per hop are those
 * of MCM-GPU (Arunkumar et al., ISCA 2017). 256 bytes per cycle are four times the bandwidth of a
 * chiplet's local memory, the order of current die-to-die links.
 */
export const DEFAULT_INTERCONNECT: InterconnectSpec = Object.freeze({
  topology: 'bus',
  bytesPerCycle: 256,
  latencyCycles: 32,
});

/**
 * Returns {@link DEFAULT_INTERCONNECT} with `overrides` applied. A field that is `undefined` keeps
 * its default.
 *
 * @throws {RenderError} REQUEST_INVALID, naming field, value and range.
 */
export function defineInterconnect(
  overrides: {
    readonly topology?: string | undefined;
    readonly bytesPerCycle?: number | undefined;
    readonly latencyCycles?: number | undefined;
  } = {},
): InterconnectSpec {
  const named = overrides.topology ?? DEFAULT_INTERCONNECT.topology;
  const topology = LINK_TOPOLOGY_NAMES.find((name) => name === named);
  if (topology === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `link topology: '${named}' is not one of ${LINK_TOPOLOGY_NAMES.join(', ')}`,
    );
  }
  const numberOf = (name: keyof typeof INTERCONNECT_FIELDS): number => {
    const value = overrides[name] ?? DEFAULT_INTERCONNECT[name];
    const { min, max } = INTERCONNECT_FIELDS[name];
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RenderError(
        'REQUEST_INVALID',
        `link ${name}: ${value} is not an integer from ${min} to ${max}`,
      );
    }
    return value;
  };
  return Object.freeze({
    topology,
    bytesPerCycle: numberOf('bytesPerCycle'),
    latencyCycles: numberOf('latencyCycles'),
  });
}

/**
 * Returns the topology of a crosslink.
 *
 * @throws {RenderError} REQUEST_INVALID if only the packet network has it.
 */
export function requireCrosslink({ topology }: Pick<InterconnectSpec, 'topology'>): Topology {
  const known = TOPOLOGY_NAMES.find((name) => name === topology);
  if (known !== undefined) return known;
  throw new RenderError(
    'REQUEST_INVALID',
    `link topology: '${topology}' needs timing cycle and coupling exact; otherwise it is one of ${TOPOLOGY_NAMES.join(', ')}`,
  );
}
