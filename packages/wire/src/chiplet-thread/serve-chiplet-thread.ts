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
import { type CopyBytes, postWithCopies } from '../post-with-copies.ts';
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
  const answer = (message: ThreadAnswer) => port.postMessage(message);
  const answerWithCopies = (makeMessage: (copy: CopyBytes) => ThreadAnswer) =>
    postWithCopies(port, makeMessage);

  const chiplet = makeChiplet({
    broadcast: ({ frameId, visibility }) =>
      new Promise((resolve) => {
        sentByFrame.set(frameId, resolve);
        answerWithCopies((copy) => {
          const bins = visibility.bins.map(copy);
          return { kind: 'broadcast', frameId, visibility: { ...visibility, bins } };
        });
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
    const { earlyBin } = summary;
    answerWithCopies((copy) => {
      const value = { ...summary, earlyBin: earlyBin && copyPixels(earlyBin, copy) };
      return { kind: 'done', call, value };
    });
  }

  function answerBin(call: number, result: BinResult): void {
    answerWithCopies((copy) => ({ kind: 'done', call, value: copyPixels(result, copy) }));
  }
}

function copyPixels(result: BinResult, copy: CopyBytes): BinResult {
  const { colors, depthStencil } = result;
  return { ...result, colors: colors.map(copy), depthStencil: depthStencil && copy(depthStencil) };
}

function asThreadError(error: unknown): ThreadError {
  const code = error instanceof RenderError ? error.code : null;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { code, message, stack };
}
