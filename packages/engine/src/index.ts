/** Work of a cluster: batches of units that gateways submit and cells claim in chunks. */
export { EngineUnavailableError, EngineUrlError, QuotaExceededError } from './engine-errors.ts';
export { openEngine } from './open-engine.ts';
export { canonicalJson, unitKeyOf } from './unit-key.ts';
export type * from './work-engine.ts';
export { UNIT_STATES } from './work-engine.ts';
