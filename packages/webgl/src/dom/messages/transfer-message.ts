/**
 * Messages and clones with transfer lists. The lists contain ports of this package, and objects
 * that the program itself transfers. It loses them, as in a browser. No array of Tessera is in
 * them, because a transfer detaches an array for all its holders.
 */
import type { MessagePort } from 'node:worker_threads';

interface MessageSender {
  postMessage(message: unknown, transfer: MessagePort[]): void;
}

/** Posts a message. @param moved Objects that the receiver gets instead of copies. */
export function transferMessage(
  port: MessageSender,
  message: unknown,
  moved: readonly unknown[],
): void {
  port.postMessage(message, moved as MessagePort[]);
}

/** Clone of the platform. An installed window replaces the global function by its own. */
const cloneOfPlatform = structuredClone;

/** Clones a value. @param moved Objects that the clone gets instead of copies. */
export function transferClone<T>(value: T, moved: readonly unknown[]): T {
  return cloneOfPlatform(value, { transfer: [...moved] as ArrayBuffer[] });
}
