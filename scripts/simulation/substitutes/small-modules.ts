/** Parts of `node:os`, `node:v8` and `node:inspector` that would reach the real process. */

/** Substitute of `setFlagsFromString` without effect. */
export function setFlagsFromString(): void {}
export { deserialize, serialize } from 'node:v8';

/** Substitute of `getHeapSpaceStatistics` without spaces. */
export function getHeapSpaceStatistics(): readonly never[] {
  return [];
}

/** Substitute of `Session` without effect. */
export class Session {
  connect(): void {}
  disconnect(): void {}
  post(): void {}
}

/** Substitute of `getPriority` without effect. */
export function getPriority(): number {
  return 0;
}

/** Substitute of `setPriority` without effect. */
export function setPriority(): void {}

/** Substitute of `hostname` without effect. */
export function hostname(): string {
  return 'simulated-host';
}

export { tmpdir } from 'node:os';
