/**
 * Messages to another thread whose bulk arrays are transferred instead of cloned.
 *
 * A transfer detaches an array for all its holders. Nothing distinguishes a module constant or a
 * cache entry from an array that only the message holds. This function is therefore the only one
 * with a transfer list, and the list contains only copies that the function itself has made
 * (test/architecture/transfers.test.ts). Copying costs the sender one pass over the bytes. The
 * receiver, whose event loop must stay free, copies nothing.
 */

/**
 * Returns a copy of `bytes` in its own memory, which is transferred with the message. Copying the
 * same view again returns the same copy.
 */
export type CopyBytes = (bytes: Uint8Array) => Uint8Array;

interface MessageSender {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/**
 * Posts a message.
 *
 * @param makeMessage Returns the message, with `copy(bytes)` in place of each bulk array. Arrays
 *   that it does not copy are cloned by `postMessage`.
 */
export function postWithCopies<Message>(
  port: MessageSender,
  makeMessage: (copy: CopyBytes) => Message,
): void {
  const copies = new Map<Uint8Array, Uint8Array>();
  const memory: ArrayBuffer[] = [];
  const message = makeMessage((bytes) => {
    let copy = copies.get(bytes);
    if (copy === undefined) {
      // Not `slice`: a Buffer's slice is a view of the same memory.
      const own = new Uint8Array(bytes);
      memory.push(own.buffer);
      copies.set(bytes, own);
      copy = own;
    }
    return copy;
  });
  port.postMessage(message, memory);
}
