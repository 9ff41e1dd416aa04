/**
 * Messages between a thread and a worker that it created. All travel over one port, so a worker
 * that reports that it is idle has sent everything before.
 */

import type { MessagePort } from 'node:worker_threads';
import type { Image, Report } from '@tessera/frame';
import type { Pixels } from '../../pixels/pixels.ts';
import type { EncodedMessage } from '../messages/message-codec.ts';

/** Start of a worker. */
export interface WorkerStart {
  /** Address of the script. */
  readonly address: string;
  readonly isModule: boolean;
  readonly name: string;
  readonly contexts: WorkerContextsChoice;
  /** Whether the creator runs the animation frames and takes the frames of canvases. */
  readonly isDriven: boolean;
  /** Folder of compiled modules; null if the creator uses none. */
  readonly compileCache: string | null;
}

/** Module that creates the WebGL contexts of workers, and its options. */
export interface WorkerContextsChoice {
  /** File address of a module with the exports of {@link WorkerContextsModule}. */
  readonly module: string;
  /** Argument of `makeWorkerContexts`, which a message can contain. */
  readonly options?: unknown;
}

/** Frame that a worker rendered. */
export interface WorkerFrame {
  readonly image: Image;
  readonly report: Report | null;
  readonly png: Uint8Array;
  readonly sentBytes: { readonly frame: number; readonly resources: number } | null;
}

/** Error of a worker, with its place. */
export interface WorkerError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Messages to a worker that it counts as handled when their synchronous part has ended. */
export type Counted =
  /** Source of a classic script; `null` for a module that the worker imports by its address. */
  | { readonly kind: 'script'; readonly source: string | null }
  | { readonly kind: 'message'; readonly message: EncodedMessage }
  /** Runs the callbacks of `requestAnimationFrame`. */
  | { readonly kind: 'animate'; readonly timeMs: number }
  /** Ends the frames of canvases without rendering them for a report. */
  | { readonly kind: 'end-frames' }
  | { readonly kind: 'take-frame' };

/** Messages to a worker. */
export type ToWorker =
  | Counted
  | { readonly kind: 'fetched'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'fetch-failed'; readonly id: number; readonly message: string }
  /** Asks for the state once all that is in the queues has been handled. */
  | { readonly kind: 'ping'; readonly id: number };

/** State of a worker. */
export interface WorkerState {
  /** Number of counted messages handled. */
  readonly handled: number;
  /** Number of pieces of loading work started so far. */
  readonly loads: number;
  /** Names of pending work. */
  readonly pending: readonly string[];
  /** Whether a canvas that draws in place of an element has a frame to show. */
  readonly hasImage: boolean;
  /** Whether the worker has requested an animation frame. */
  readonly isAnimated: boolean;
}

/** Messages of a worker. */
export type FromWorker =
  | { readonly kind: 'message'; readonly message: EncodedMessage }
  | { readonly kind: 'state'; readonly state: WorkerState }
  | { readonly kind: 'pong'; readonly id: number }
  | { readonly kind: 'error'; readonly error: WorkerError; readonly isRejection: boolean }
  | { readonly kind: 'fetch'; readonly id: number; readonly address: string }
  /** Fetch while the worker waits: the answer goes to `port`, and `flag` becomes 1. */
  | {
      readonly kind: 'fetch-waiting';
      readonly address: string;
      /** Blob at the address, if the worker created it. */
      readonly blob: Blob | null;
      readonly port: MessagePort;
      readonly flag: Int32Array<SharedArrayBuffer>;
    }
  /** Frame of a canvas, for the receiver with this number. */
  | { readonly kind: 'show'; readonly target: number; readonly pixels: Pixels }
  | { readonly kind: 'frame'; readonly frame: WorkerFrame }
  | { readonly kind: 'frame-failed'; readonly error: unknown }
  | { readonly kind: 'closed' };

/** Answer to `fetch-waiting`. */
export type WaitingAnswer = { readonly bytes: Uint8Array } | { readonly message: string };
