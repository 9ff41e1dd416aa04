/** The crosslink that a query asks for; what it does not say is as the service was configured. */
import {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  OVERLAP_MODES,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import type { Config } from '../../config/config.ts';

const linkField = (name: keyof typeof INTERCONNECT_FIELDS) =>
  Type.Optional(
    Type.Integer({
      minimum: INTERCONNECT_FIELDS[name].min,
      maximum: INTERCONNECT_FIELDS[name].max,
      description:
        `Of the crosslink, ${INTERCONNECT_FIELDS[name].unit}: ${INTERCONNECT_FIELDS[name].meaning}; ` +
        `without it as the service was started, ${DEFAULT_INTERCONNECT[name]} by default`,
    }),
  );

/** For queries of frames and sequences. */
export const LINK_FIELDS = {
  linkTopology: Type.Optional(
    Type.Enum([...TOPOLOGY_NAMES], {
      description: `How chiplets are joined; without it as the service was started, ${DEFAULT_INTERCONNECT.topology} by default`,
    }),
  ),
  linkBytesPerCycle: linkField('bytesPerCycle'),
  linkLatencyCycles: linkField('latencyCycles'),
  overlap: Type.Optional(
    Type.Enum([...OVERLAP_MODES], {
      description:
        'When chiplet 0 turns to the next visibility phase, of a pass or frame: when all before is done, after its ' +
        'own bins, or as soon as it may; visibility-first without it',
    }),
  ),
};

const LINK_QUERY_SCHEMA = Type.Object(LINK_FIELDS);

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
