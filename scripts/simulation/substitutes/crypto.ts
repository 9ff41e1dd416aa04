/** `node:crypto` with random numbers of the world. */
import * as crypto from 'node:crypto';
import { fillRandomly } from '../world/random.ts';
import { theRandom } from '../world/world.ts';

export * from 'node:crypto';

/** Substitute of `randomBytes` with numbers of the world. */
export function randomBytes(size: number): Buffer {
  return fillRandomly(theRandom(), Buffer.alloc(size));
}

/** Substitute of `randomFillSync` with numbers of the world. */
export function randomFillSync<T extends NodeJS.ArrayBufferView>(view: T): T {
  return fillRandomly(theRandom(), view);
}

/** Substitute of `randomInt` with numbers of the world. */
export function randomInt(end: number): number {
  return theRandom().integer(0, end - 1);
}

/** Substitute of `randomUUID` with numbers of the world. */
export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Substitute of the module as a whole. */
export default { ...crypto, randomBytes, randomFillSync, randomInt, randomUUID };
