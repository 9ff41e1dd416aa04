/**
 * A worker's end of the crosslink. It outlives connections: after a reconnect the server sends the
 * broadcasts of all frames still rendered, of which those already here are ignored.
 */
import {
  type ChipletId,
  type FrameBroadcast,
  type FrameId,
  type PreparedFrame,
  RenderError,
} from '@tessera/frame';
import type { Connection } from '../connection/connection.ts';
import { FrameTraces } from '../messages/frame-traces.ts';
import { type Message, type MessageOf, PROTOCOL_VERSION } from '../messages/messages.ts';
import type { ResourceStore } from '../resources/resource-store.ts';

/** The chiplet's side: where broadcasts go. */
export interface BroadcastSink {
  receiveBroadcast(message: FrameBroadcast): void;
  releaseFrame(frameId: FrameId): void;
}

/** What is known of one frame: ends waits, and the passes received or on their way. */
interface FrameState {
  readonly abort: AbortController;
  readonly passes: Map<number, 'on its way' | 'held'>;
}

export interface CrosslinkClientOptions {
  readonly chipletId: ChipletId;
  readonly resources: ResourceStore;
  readonly sink: BroadcastSink;
  /** Told of the traces that broadcasts belong to. */
  readonly traces?: FrameTraces | undefined;
  /** Called when the worker joined, and with `false` when the link closed. */
  readonly onJoined: (isJoined: boolean, reason: string) => void;
}

export class CrosslinkClient {
  readonly #options: CrosslinkClientOptions;
  readonly #frames = new Map<FrameId, FrameState>();
  readonly #traces: FrameTraces;
  #connection: Connection | null = null;

  constructor(options: CrosslinkClientOptions) {
    this.#options = options;
    this.#traces = options.traces ?? new FrameTraces();
  }

  /** Joins over a fresh connection. */
  attach(connection: Connection): void {
    const { chipletId, resources, onJoined } = this.#options;
    this.#connection = connection;
    connection.listen({
      onMessage: (message) => this.#receive(message),
      onClose: (reason) => {
        if (this.#connection !== connection) return;
        this.#connection = null;
        onJoined(false, reason);
      },
    });
    connection.send({
      type: 'crosslinkHello',
      protocolVersion: PROTOCOL_VERSION,
      chipletId,
      held: resources.held(),
    });
  }

  /** Leaves the link and forgets its frames. */
  close(reason: string): void {
    this.#connection?.close(reason);
    for (const frameId of [...this.#frames.keys()]) this.#release(frameId);
  }

  #receive(message: Message): void {
    switch (message.type) {
      case 'crosslinkWelcome': {
        const current = new Set(message.frameIds);
        for (const frameId of [...this.#frames.keys()]) {
          if (!current.has(frameId)) this.#release(frameId);
        }
        this.#options.onJoined(true, 'joined');
        return;
      }
      case 'resource':
        this.#options.resources.put(message);
        return;
      case 'frameBroadcast':
        this.#receiveBroadcast(message);
        return;
      case 'releaseFrame':
        this.#release(message.frameId);
        return;
      default:
        this.#connection?.close(`malformed message: ${message.type} on the crosslink`);
    }
  }

  #receiveBroadcast(message: MessageOf<'frameBroadcast'>): void {
    const { frameId, commands, visibility, traceId } = message;
    this.#traces.note(frameId, traceId);
    const trace = this.#traces.of(frameId);
    const { resources, sink } = this.#options;
    const state = this.#frames.get(frameId) ?? { abort: new AbortController(), passes: new Map() };
    this.#frames.set(frameId, state);
    const { passIndex } = visibility;
    const isHeld = state.passes.get(passIndex) === 'held';
    if (isHeld) this.#connection?.send({ type: 'broadcastHeld', ...trace, frameId, passIndex });
    if (state.passes.has(passIndex)) return;
    state.passes.set(passIndex, 'on its way');
    const connection = this.#connection;
    resources
      .completeFrame(
        commands,
        (missing) => connection?.send({ type: 'resourcesMissing', resources: missing }),
        state.abort.signal,
      )
      .then(
        (frame: PreparedFrame) => {
          sink.receiveBroadcast({ frameId, frame, visibility });
          state.passes.set(passIndex, 'held');
          // Over the link of now, which may be another one.
          this.#connection?.send({ type: 'broadcastHeld', ...trace, frameId, passIndex });
        },
        // Only the release of the frame ends the wait, and then nobody waits for the broadcast.
        (error: unknown) => {
          if (!state.abort.signal.aborted) throw error;
        },
      );
  }

  #release(frameId: FrameId): void {
    const state = this.#frames.get(frameId);
    if (state === undefined) return;
    this.#frames.delete(frameId);
    state.abort.abort(new RenderError('FRAME_CANCELLED', 'the frame was released'));
    this.#options.sink.releaseFrame(frameId);
  }
}
