/**
 * What the main thread of a chiplet's process and the thread that renders say to each other. Both are one program, so
 * nothing is checked. Bulk bytes are in shared memory or change hands; they are not copied.
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

/** To the thread. A call is answered by `done` or `failed`. */
export type ThreadRequest =
  | {
      readonly kind: 'visibility';
      readonly call: number;
      /** Of the frame, by which its work is stopped: see StopWords. */
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
  /** The broadcast of a visibility phase was handed to the links. */
  | { readonly kind: 'sent'; readonly frameId: FrameId };

/** What the thread gets as `workerData`. */
export interface ThreadData<Setup> {
  /** Of the file that serves the chiplet. */
  readonly setup: Setup;
  /** Memory of the StopWords by which the main thread stops work on released frames. */
  readonly stopMemory: WebAssembly.Memory;
}

/** An error on its way between threads; without a code it is a bug. */
export interface ThreadError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string;
}

/** From the thread. */
export type ThreadAnswer =
  | { readonly kind: 'done'; readonly call: number; readonly value: BinResult | VisibilitySummary }
  | { readonly kind: 'failed'; readonly call: number; readonly error: ThreadError }
  /** To be broadcast; answered by `sent`. */
  | {
      readonly kind: 'broadcast';
      readonly frameId: FrameId;
      readonly visibility: VisibilityStream;
    };
