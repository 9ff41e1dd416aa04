/**
 * The contract between the functional side of a chiplet and the simulated chip: parameters of the hardware, words of a
 * run's plan and records, slots of its counts.
 */

export { SLOT_POLICIES, type SlotPolicyName } from '../table/slot-policies.ts';
export { countBits, countQuads, QUAD_LANES } from './block-masks.ts';
export { MEMORY_CLIENT } from './client-numbers.ts';
export { CLIENT_LINES_WRITTEN, COUNT, COUNT_WORDS } from './count-slots.ts';
export { LINE_BYTES } from './memory-line.ts';
export {
  ARRAY,
  ARRAY_WORDS,
  BATCH_END,
  BLOCK,
  BLOCK_RECORD_WORDS,
  COMMAND,
  COMMAND_WORDS,
  DRAW,
  DRAW_STATE,
  DRAW_WORDS,
  END_OF_TRACE,
  ENTRY,
  ENTRY_BATCH_END,
  ENTRY_PRIMITIVE,
  ENTRY_WORDS,
  HIERARCHICAL_KILL,
  MARK_END,
  MARK_FLUSH,
  POSITION_BITS,
  PRIMITIVE,
  PROGRAM,
  RUN_END,
  TRACE,
  VERTEX_RECORD_WORDS,
} from './record-layout.ts';
export { RecordRing } from './record-ring.ts';
export { PLAN, PLAN_WORDS } from './run-plan.ts';
export { RING, RING_STRIDES } from './run-records.ts';
export { TimingSpec } from './timing-spec.ts';
export { LEVEL_COUNT } from './traversal-levels.ts';
