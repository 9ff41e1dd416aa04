/** The thread's side of a {@link ThreadedChiplet}: works off what the main thread asks for. */
import type { MessagePort } from 'node:worker_threads';
import {
  type BinResult,
  type Chiplet,
  type Crosslink,
  type FrameId,
  RenderError,
  type VisibilitySummary,
} from '@tessera/frame';
import type { BroadcastSink } from '../crosslink-client.ts';
import type { ThreadAnswer, ThreadError, ThreadRequest } from './thread-messages.ts';

/**
 * Serves a chiplet to the main thread for good.
 *
 * @param makeChiplet Gets the crosslink that reaches the other chiplets through the main thread.
 */
export function serveChipletThread(
  port: MessagePort,
  makeChiplet: (crosslink: Crosslink) => Chiplet & BroadcastSink,
): void {
  /** Broadcasts that the main thread still hands to the links. */
  const sentByFrame = new Map<FrameId, () => void>();
  const answer = (message: ThreadAnswer, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);

  const chiplet = makeChiplet({
    broadcast: ({ frameId, visibility }) =>
      new Promise((resolve) => {
        sentByFrame.set(frameId, resolve);
        // The chiplet keeps its streams, so they are copied; without what else lies in their memory.
        const bins = visibility.bins.map((bytes) => bytes.slice());
        answer({ kind: 'broadcast', frameId, visibility: { ...visibility, bins } }, [
          ...new Set(bins.map(({ buffer }) => buffer)),
        ]);
      }),
  });

  port.on('message', (request: ThreadRequest) => {
    switch (request.kind) {
      case 'visibility': {
        const { call, frameId, frame, passIndex } = request;
        chiplet.computeVisibility(frameId, frame, passIndex).then(
          (summary) => answerVisibility(call, summary),
          (error: unknown) => answer({ kind: 'failed', call, error: asThreadError(error) }),
        );
        return;
      }
      case 'bin':
        chiplet.renderBin(request.request).then(
          (result) => answerBin(request.call, result),
          (error: unknown) =>
            answer({ kind: 'failed', call: request.call, error: asThreadError(error) }),
        );
        return;
      case 'receive':
        chiplet.receiveBroadcast(request.broadcast);
        return;
      case 'release':
        chiplet.releaseFrame(request.frameId);
        return;
      case 'sent':
        sentByFrame.get(request.frameId)?.();
        sentByFrame.delete(request.frameId);
    }
  });

  function answerVisibility(call: number, summary: VisibilitySummary): void {
    if (summary.earlyBin === null) {
      answer({ kind: 'done', call, value: summary });
      return;
    }
    const { result, memory } = detach(summary.earlyBin);
    answer({ kind: 'done', call, value: { ...summary, earlyBin: result } }, memory);
  }

  function answerBin(call: number, rendered: BinResult): void {
    const { result, memory } = detach(rendered);
    answer({ kind: 'done', call, value: result }, memory);
  }
}

/** The result with pixels in memory that can change hands. */
function detach(result: BinResult): { result: BinResult; memory: ArrayBuffer[] } {
  const memory: ArrayBuffer[] = [];
  const own = (bytes: Uint8Array): Uint8Array => {
    const { buffer, byteLength } = bytes;
    const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    const detached = isAlone && !memory.includes(buffer) ? bytes : bytes.slice();
    memory.push(detached.buffer as ArrayBuffer); // of this thread alone: looked at above, or a slice
    return detached;
  };
  const colors = result.colors.map(own);
  const depthStencil = result.depthStencil === null ? null : own(result.depthStencil);
  return { result: { ...result, colors, depthStencil }, memory };
}

function asThreadError(error: unknown): ThreadError {
  const code = error instanceof RenderError ? error.code : null;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { code, message, stack };
}
