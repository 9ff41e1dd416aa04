import {
  DEFAULT_INTERCONNECT,
  INTERCONNECT_FIELDS,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/rendering';
import { type EnvironmentTable, HEARTBEAT_VARIABLE } from '@tessera/wire/environment';

/** Variables of chiplets and of the crosslink between them. */
export const CHIPLET_VARIABLES = {
  TESSERA_MIN_WORKERS: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    meaning: 'workers that must be connected for the service to be ready',
  },
  TESSERA_VISIBILITY_RENDERS: {
    kind: 'boolean',
    default: true,
    meaning: 'whether the visibility chiplet also renders bins',
  },
  TESSERA_CHIPLET_ANSWER_MS: {
    kind: 'integer',
    default: 120_000,
    min: 100,
    max: 3_600_000,
    meaning: 'time between two answers of a chiplet that has work',
    refusal: 'CHIPLET_TIMEOUT',
  },
  TESSERA_CHIPLET_WAIT_MS: {
    kind: 'integer',
    default: 600_000,
    min: 0,
    max: 86_400_000,
    meaning: 'time that a frame waits for chiplets when its turn comes',
    refusal: 'NO_CHIPLETS',
  },
  TESSERA_REJOIN_MS: {
    kind: 'integer',
    default: 5000,
    min: 0,
    max: 3_600_000,
    meaning:
      'time that a restarted frame, which was admitted while no chiplets were connected, waits for as many chiplets as it had',
  },
  TESSERA_HEARTBEAT_MS: HEARTBEAT_VARIABLE,
  TESSERA_SILENT_MS: {
    kind: 'integer',
    default: 5000,
    min: 20,
    max: 3_600_000,
    meaning: 'time without incoming bytes after which a chiplet counts as lost',
  },
  TESSERA_SET_ASIDE_MS: {
    kind: 'integer',
    default: 60_000,
    min: 0,
    max: 86_400_000,
    meaning: 'time for which a worker gets no bins after three faults, unless it reconnects',
  },
  TESSERA_CHECKED_BINS: {
    kind: 'integer',
    default: 1,
    min: 0,
    max: 100,
    meaning:
      'percentage of the bins of trusted chiplets that two chiplets render, to compare the results; the first bins of a newly connected chiplet are always compared',
  },
  TESSERA_QUARANTINE_MS: {
    kind: 'integer',
    default: 3_600_000,
    min: 0,
    max: 86_400_000,
    meaning:
      'time for which a worker gets no bins after other chiplets proved its result wrong, unless it reconnects',
  },
  TESSERA_LINK_TOPOLOGY: {
    kind: 'choice',
    default: DEFAULT_INTERCONNECT.topology,
    allowed: TOPOLOGY_NAMES,
    meaning: 'topology of the simulated crosslink, unless a query sets it',
  },
  TESSERA_LINK_BYTES_PER_CYCLE: {
    kind: 'integer',
    default: DEFAULT_INTERCONNECT.bytesPerCycle,
    min: INTERCONNECT_FIELDS.bytesPerCycle.min,
    max: INTERCONNECT_FIELDS.bytesPerCycle.max,
    meaning:
      'bandwidth of a channel of the crosslink in bytes per simulated cycle, unless a query sets it',
  },
  TESSERA_LINK_LATENCY_CYCLES: {
    kind: 'integer',
    default: DEFAULT_INTERCONNECT.latencyCycles,
    min: INTERCONNECT_FIELDS.latencyCycles.min,
    max: INTERCONNECT_FIELDS.latencyCycles.max,
    meaning: 'latency of a channel of the crosslink in simulated cycles, unless a query sets it',
  },
} as const satisfies EnvironmentTable;
