/**
 * Messages between the main thread of a chiplet's process and its rendering thread. Both run the
 * same program, so nothing is checked. Bulk bytes are in shared memory or transferred instead of
 * copied.
 */
import type {
  BinResult,
  ErrorCode,
  FrameBroadcast,
  FrameId,
  PreparedFrame,
  RenderBinRequest,
  VisibilityStream,
  VisibilitySummary,
} from '@tessera/frame';

/** Request to the thread, which answers a call with `done` or `failed`. */
export type ThreadRequest =
  | {
      readonly kind: 'visibility';
      readonly call: number;
      /** Ticket of the frame, by which its work is stopped (see StopWords). */
      readonly ticket: number;
      readonly frameId: FrameId;
      readonly frame: PreparedFrame;
      readonly passIndex: number;
    }
  | {
      readonly kind: 'bin';
      readonly call: number;
      readonly ticket: number;
      readonly request: RenderBinRequest;
    }
  | { readonly kind: 'receive'; readonly broadcast: FrameBroadcast }
  | { readonly kind: 'release'; readonly frameId: FrameId }
  /** Reports that the broadcast of a visibility phase has been handed to the links. */
  | { readonly kind: 'sent'; readonly frameId: FrameId };

/** Data that the thread receives as `workerData`. */
export interface ThreadData<Setup> {
  /** Setup for the file that serves the chiplet. */
  readonly setup: Setup;
  /** Memory of the StopWords by which the main thread stops work on released frames. */
  readonly stopMemory: WebAssembly.Memory;
}

/** An error in a message between threads. An error without a code is a bug. */
export interface ThreadError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string;
}

/** Message from the thread. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly call: number; readonly value: BinResult | VisibilitySummary }
  | { readonly kind: 'failed'; readonly call: number; readonly error: ThreadError }
  /** Requests a broadcast; answered by `sent`. */
  | {
      readonly kind: 'broadcast';
      readonly frameId: FrameId;
      readonly visibility: VisibilityStream;
    };
