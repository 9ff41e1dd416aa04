/** Port of a worker to the thread that created it: files, frames and errors. */
import { resolveObjectURL } from 'node:buffer';
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Pixels } from '../../pixels/pixels.ts';
import type { FrameTarget } from '../canvas/offscreen-canvas.ts';
import { transferMessage } from '../messages/transfer-message.ts';
import { decodeDataAddress } from '../scope/scope-services.ts';
import type { FromWorker, ToWorker, WaitingAnswer } from '../workers/worker-protocol.ts';

/** Messages from the creator that answer requests of this worker. */
type Answer = ToWorker & { readonly kind: 'fetched' | 'fetch-failed' };

/** Port to the creator of the worker. */
export class ThreadPort {
  readonly #port: MessagePort;
  readonly #address: URL;
  readonly #fetches = new Map<number, PromiseWithResolvers<Uint8Array>>();
  #lastFetch = 0;

  /** @param address Base of relative addresses. */
  constructor(port: MessagePort, address: URL) {
    this.#port = port;
    this.#address = address;
  }

  post(message: FromWorker, moved: readonly unknown[] = []): void {
    transferMessage(this.#port, message, moved);
  }

  /** Returns the bytes at an address. The creator reads all but data and the worker's own blobs. */
  async fetchBytes(address: string): Promise<Uint8Array> {
    const { href } = new URL(address, this.#address);
    if (href.startsWith('data:')) return decodeDataAddress(href);
    const blob = href.startsWith('blob:') ? resolveObjectURL(href) : undefined;
    if (blob !== undefined) return new Uint8Array(await blob.arrayBuffer());
    const id = ++this.#lastFetch;
    const answer = Promise.withResolvers<Uint8Array>();
    this.#fetches.set(id, answer);
    this.post({ kind: 'fetch', id, address: href });
    return answer.promise;
  }

  /** Returns the bytes at an address while the worker waits. */
  readBytes(address: string): Uint8Array {
    const { href } = new URL(address, this.#address);
    if (href.startsWith('data:')) return decodeDataAddress(href);
    // A blob has no synchronous content, so the creator reads the worker's own blobs too.
    const found = href.startsWith('blob:') ? resolveObjectURL(href) : undefined;
    const blob = (found as Blob | undefined) ?? null; // Node's type of the same class.
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const { port1, port2 } = new MessageChannel();
    this.post({ kind: 'fetch-waiting', address: href, blob, port: port2, flag }, [port2]);
    Atomics.wait(flag, 0, 0);
    const answer = receiveMessageOnPort(port1)!.message as WaitingAnswer;
    port1.close();
    if ('message' in answer) throw new Error(answer.message);
    return answer.bytes;
  }

  answer(message: Answer): void {
    const fetch = this.#fetches.get(message.id)!;
    this.#fetches.delete(message.id);
    if (message.kind === 'fetched') fetch.resolve(message.bytes);
    else fetch.reject(new Error(message.message));
  }

  /** Returns the receiver of frames with a number of the creator. */
  targetOf(number: number): FrameTarget {
    return new PortTarget(this, number);
  }
}

/** Receiver of the frames of a canvas that draws in place of an element of the page. */
export class PortTarget implements FrameTarget {
  readonly #port: ThreadPort;
  /** Number by which the creator knows the receiver. */
  readonly number: number;
  /** The page decides which of its elements it shows. */
  readonly isShown = true;

  constructor(port: ThreadPort, number: number) {
    this.#port = port;
    this.number = number;
  }

  show(pixels: Pixels): void {
    this.#port.post({ kind: 'show', target: this.number, pixels });
  }

  link(): void {}
}
