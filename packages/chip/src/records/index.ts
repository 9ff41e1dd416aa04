/**
 * The contract between the functional side of a chiplet and the simulated chip: parameters of the
 * hardware, words of a run's plan and records, slots of its counts.
 */

export { COUNTS } from '../table/counts.ts';
export { MEMORY_CLIENTS, type MemoryClientName } from '../table/memory-clients.ts';
export {
  PAGE_POLICIES,
  PAGE_STRUCTURES,
  PLACEMENTS,
  type PlacementName,
  REMOTE_CACHES,
  SLOT_POLICIES,
  type SlotPolicyName,
  WARP_ID_LAYOUTS,
} from '../table/spec-choices.ts';
export {
  packWords,
  RUN_PLAN_WORDS,
  SHARED_MEMORY_WORDS,
  TIMING_SPEC_WORDS,
} from '../table/words.ts';
export { countBits, countQuads, QUAD_LANES } from './block-masks.ts';
export { MEMORY_CLIENT } from './client-numbers.generated.ts';
export {
  CLIENT_LINES_READ,
  CLIENT_LINES_WRITTEN,
  COUNT,
  COUNT_WORDS,
  WARP_CYCLES,
} from './count-slots.generated.ts';
export { LINE_BYTES } from './memory-line.ts';
export {
  ALL_PRIMITIVES,
  ARRAY,
  ARRAY_WORDS,
  BATCH_END,
  BLOCK,
  BLOCK_RECORD_WORDS,
  COLOR_COMPACT_SHIFT,
  COMMAND,
  COMMAND_WORDS,
  COMPACT_SHIFT,
  COPY,
  DRAW,
  DRAW_STATE,
  DRAW_STATE_LINES,
  DRAW_WORDS,
  END_OF_TRACE,
  ENTRY,
  ENTRY_BATCH_END,
  ENTRY_PRIMITIVE,
  ENTRY_WORDS,
  FAR_LIMIT,
  HIERARCHICAL_RAISE,
  LIST_LINE_ENTRIES,
  MARK_BATCH,
  MARK_END,
  MARK_FLUSH,
  MAX_BIN_BLOCKS,
  MAX_BIN_EDGE_PX,
  PASSES_BITS,
  POSITION_BITS,
  PRIMITIVE,
  PROGRAM,
  REMOTE,
  REMOTE_FIND_HOME,
  REMOTE_HOME,
  REMOTE_LINE,
  REMOTE_READ,
  REMOTE_WORDS,
  REMOTE_WRITE,
  REMOTE_WRITTEN,
  RUN_END,
  SNAPSHOT,
  STREAM_END,
  TRACE,
  VERTEX_RECORD_WORDS,
  WAIT_PLACE_WORDS,
} from './record-layout.ts';
export { RecordRing } from './record-ring.ts';
export { FIRST_LOOKUP_WAIT, LOOKUP_WAITS } from './run-records.ts';
export { RING, RING_STRIDES } from './run-rings.generated.ts';
export { SLOT_POLICY, WARP_ID_LAYOUT } from './spec-choices.generated.ts';
export { TimingSpec } from './timing-spec.generated.ts';
export { LEVEL_COUNT } from './traversal-levels.ts';
export { WAIT, WARP_WAIT } from './wait-kinds.generated.ts';
