/** Query parameters of the crosslink. Parameters that are left out come from the configuration. */
import {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  LINK_TOPOLOGY_NAMES,
  ORGANIZATIONS,
  OVERLAP_MODES,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import type { Config } from '../../config/config.ts';

const LINK_FIELD_DESCRIPTIONS = {
  bytesPerCycle: 'Bandwidth of a crosslink channel in each direction, in bytes per simulated cycle',
  latencyCycles: 'Latency of a crosslink channel, in simulated cycles',
} as const satisfies Record<keyof typeof INTERCONNECT_FIELDS, string>;

function linkField(name: keyof typeof INTERCONNECT_FIELDS) {
  const { min, max } = INTERCONNECT_FIELDS[name];
  return Type.Optional(
    Type.Integer({
      minimum: min,
      maximum: max,
      description: `${LINK_FIELD_DESCRIPTIONS[name]}; by default the service's setting, usually ${DEFAULT_INTERCONNECT[name]}`,
    }),
  );
}

/** Parameters of queries for frames and sequences. */
export const LINK_FIELDS = {
  linkTopology: Type.Optional(
    Type.Enum([...LINK_TOPOLOGY_NAMES], {
      description: `Topology of the crosslink; by default the service's setting, usually ${DEFAULT_INTERCONNECT.topology}. Those after ${TOPOLOGY_NAMES.at(-1)} need coupling=exact`,
    }),
  ),
  linkBytesPerCycle: linkField('bytesPerCycle'),
  linkLatencyCycles: linkField('latencyCycles'),
  overlap: Type.Optional(
    Type.Enum([...OVERLAP_MODES], {
      description:
        'Start of the visibility phase of the next pass or frame on chiplet 0: after all earlier work, after ' +
        'the bins of chiplet 0, or as early as possible; visibility-first by default',
    }),
  ),
  organization: Type.Optional(
    Type.Enum([...ORGANIZATIONS], {
      description:
        'Way in which chiplets share frames: two-level binning, or one of the baselines; binned by default. sort-last ' +
        'needs `chiplets`',
    }),
  ),
};

const LINK_QUERY_SCHEMA = Type.Object(LINK_FIELDS);

/** Returns the crosslink that a query asks for. */
export function readInterconnect(
  query: Static<typeof LINK_QUERY_SCHEMA>,
  config: Config,
): InterconnectSpec {
  return defineInterconnect({
    topology: query.linkTopology ?? config.TESSERA_LINK_TOPOLOGY,
    bytesPerCycle: query.linkBytesPerCycle ?? config.TESSERA_LINK_BYTES_PER_CYCLE,
    latencyCycles: query.linkLatencyCycles ?? config.TESSERA_LINK_LATENCY_CYCLES,
  });
}
