import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postWithCopies } from './post-with-copies.ts';

describe('postWithCopies', () => {
  let port1: MessagePort;
  let port2: MessagePort;
  beforeEach(() => {
    ({ port1, port2 } = new MessageChannel());
  });
  afterEach(() => {
    port1.close();
  });

  /** Posts the views and returns what the receiver gets. */
  function post(views: readonly Uint8Array[]): readonly Uint8Array[] {
    postWithCopies(port1, (copy) => views.map(copy));
    return receiveMessageOnPort(port2)!.message;
  }

  it('does not detach an array that fills its memory, however often it is posted', () => {
    const shared = Uint8Array.of(1, 2, 3);
    for (let repeat = 0; repeat < 3; repeat++) {
      expect(post([shared])).toEqual([Uint8Array.of(1, 2, 3)]);
      expect(shared).toEqual(Uint8Array.of(1, 2, 3));
    }
  });

  it('sends a view without the memory around it', () => {
    const file = Uint8Array.from({ length: 1000 }, (_, at) => at);
    const [first, second] = post([file.subarray(10, 12), file.subarray(20, 22)]);
    expect([first, second]).toEqual([Uint8Array.of(10, 11), Uint8Array.of(20, 21)]);
    expect([first!.buffer.byteLength, second!.buffer.byteLength]).toEqual([2, 2]);
  });

  it('copies a part of a Buffer, whose slice would be a view', () => {
    const buffer = Buffer.alloc(4, 7);
    expect(post([buffer.subarray(1, 3)])).toEqual([Uint8Array.of(7, 7)]);
    expect(buffer).toEqual(Buffer.alloc(4, 7));
  });

  it('sends a view that occurs twice in the message once', () => {
    const bytes = new Uint8Array(8);
    const [first, second] = post([bytes, bytes]);
    expect(first!.buffer).toBe(second!.buffer);
  });

  it('moves its copies', () => {
    let copied: Uint8Array | null = null;
    postWithCopies(port1, (copy) => {
      copied = copy(new Uint8Array(8));
      return copied;
    });
    expect(copied!).toHaveLength(0);
  });
});
