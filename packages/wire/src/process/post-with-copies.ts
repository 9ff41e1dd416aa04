/**
 * Messages to another thread whose bulk arrays are moved instead of cloned.
 *
 * A transfer detaches an array for everyone who holds it, and nothing tells a constant of a module or an entry of a
 * cache from an array that its message alone holds. Therefore this function is the only one with a transfer list, and
 * the list has nothing but copies that the function itself has made (test/architecture/transfers.test.ts). Copying
 * costs the sender one pass over the bytes. The receiver, whose event loop must stay free, copies nothing.
 */

/** Returns a copy of `bytes` in memory of its own, which moves with the message. A view copied before has one copy. */
export type CopyBytes = (bytes: Uint8Array) => Uint8Array;

interface MessageSender {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
}

/**
 * Posts a message.
 *
 * @param makeMessage Returns the message, with `copy(bytes)` in place of each bulk array. Arrays that it does not copy
 *   are cloned by `postMessage`.
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
      // Not `slice`: that of a Buffer is a view of the same memory.
      const own = new Uint8Array(bytes);
      memory.push(own.buffer);
      copies.set(bytes, own);
      copy = own;
    }
    return copy;
  });
  port.postMessage(message, memory);
}
