/** Parts of `node:os`, `node:v8` and `node:inspector` that would reach the real process. */

export function setFlagsFromString(): void {}
export { deserialize, serialize } from 'node:v8';

export class Session {
  connect(): void {}
  disconnect(): void {}
  post(): void {}
}

export function getPriority(): number {
  return 0;
}

export function setPriority(): void {}

export function hostname(): string {
  return 'simulated-host';
}

export { tmpdir } from 'node:os';
