/** Work of a cluster: batches of units that gateways submit and cells claim in chunks. */

export { openEngine } from './open-engine.ts';
export {
  EngineUnavailableError,
  EngineUrlError,
  QuotaExceededError,
} from './work/engine-errors.ts';
export { canonicalJson, unitKeyOf } from './work/unit-key.ts';
export type * from './work/work-engine.ts';
export { UNIT_STATES } from './work/work-engine.ts';
