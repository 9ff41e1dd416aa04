/** The thread's side of a {@link ThreadedChiplet}: executes requests of the main thread. */
import type { MessagePort } from 'node:worker_threads';
import {
  type BinResult,
  type Chiplet,
  type Crosslink,
  type FrameId,
  type FrameStop,
  RenderError,
  runInSharedMemory,
  StopWords,
  type VisibilitySummary,
} from '@tessera/frame';
import type { BroadcastSink } from '../crosslink/crosslink-client.ts';
import { type CopyBytes, postWithCopies } from '../process/post-with-copies.ts';
import type { ThreadAnswer, ThreadError, ThreadRequest } from './thread-messages.ts';

export type { ThreadData } from './thread-messages.ts';

/**
 * Serves a chiplet to the main thread until the thread ends.
 *
 * @param stopMemory Memory from {@link ThreadData}.
 * @param makeChiplet Makes the chiplet, given a crosslink through the main thread and the means by
 *   which that thread stops work.
 */
export function serveChipletThread(
  port: MessagePort,
  stopMemory: WebAssembly.Memory,
  makeChiplet: (crosslink: Crosslink, stop: FrameStop) => Chiplet & BroadcastSink,
): void {
  const tickets = new Map<FrameId, number>();
  const stop: FrameStop = {
    words: new StopWords(stopMemory),
    ticketOf: (frameId) => {
      const ticket = tickets.get(frameId);
      if (ticket === undefined) {
        throw new RenderError('FRAME_CANCELLED', `frame ${frameId} was released`);
      }
      return ticket;
    },
  };
  /** Resolvers of broadcasts that the main thread has not handed to the links yet. */
  const sentByFrame = new Map<FrameId, () => void>();
  const answer = (message: ThreadAnswer) => port.postMessage(message);
  const answerWithCopies = (makeMessage: (copy: CopyBytes) => ThreadAnswer) =>
    postWithCopies(port, makeMessage);

  const crosslink: Crosslink = {
    broadcast: ({ frameId, visibility }) =>
      new Promise((resolve) => {
        sentByFrame.set(frameId, resolve);
        answerWithCopies((copy) => {
          const bins = visibility.bins.map(copy);
          return { kind: 'broadcast', frameId, visibility: { ...visibility, bins } };
        });
      }),
  };
  const chiplet = makeChiplet(crosslink, stop);

  port.on('message', (request: ThreadRequest) => {
    switch (request.kind) {
      case 'visibility': {
        const { call, ticket, frameId, frame, passIndex } = request;
        tickets.set(frameId, ticket);
        chiplet.computeVisibility(frameId, frame, passIndex).then(
          (summary) => answerVisibility(call, summary),
          (error: unknown) => answer({ kind: 'failed', call, error: asThreadError(error) }),
        );
        return;
      }
      case 'bin':
        tickets.set(request.request.frameId, request.ticket);
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
        tickets.delete(request.frameId);
        return;
      case 'sent':
        sentByFrame.get(request.frameId)?.();
        sentByFrame.delete(request.frameId);
    }
  });

  function answerVisibility(call: number, summary: VisibilitySummary): void {
    answerWithCopies((copy) => ({ kind: 'done', call, value: copySummary(summary, copy) }));
  }

  function answerBin(call: number, result: BinResult): void {
    answerWithCopies((copy) => ({ kind: 'done', call, value: copyResult(result, copy) }));
  }
}

function copySummary(summary: VisibilitySummary, copy: CopyBytes): VisibilitySummary {
  const { earlyBin, parts } = summary;
  return {
    ...shareRecords(summary),
    ...(parts === undefined ? {} : { parts: parts.map(shareRecords) }),
    earlyBin: earlyBin && copyResult(earlyBin, copy),
  };
}

function copyResult(result: BinResult, copy: CopyBytes): BinResult {
  const { colors, depthStencil } = result;
  return {
    ...shareRecords(result),
    colors: colors.map(copy),
    depthStencil: depthStencil && copy(depthStencil),
  };
}

/** Returns a result whose records reach the main thread without another copy. */
function shareRecords<T extends Pick<BinResult, 'records'>>(result: T): T {
  const { records } = result;
  return records === undefined ? result : { ...result, records: runInSharedMemory(records) };
}

function asThreadError(error: unknown): ThreadError {
  const code = error instanceof RenderError ? error.code : null;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { code, message, stack };
}
