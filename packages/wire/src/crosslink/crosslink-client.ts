/**
 * A worker's end of the crosslink. It outlives connections. After a reconnect the server sends the
 * broadcasts of all frames in progress, and the client ignores those it already has.
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

/** Receiver of broadcasts, implemented by the chiplet. */
export interface BroadcastSink {
  receiveBroadcast(message: FrameBroadcast): void;
  releaseFrame(frameId: FrameId): void;
}

/**
 * Passes of a frame that were received or are being completed, and the controller that cancels
 * waits for its resources.
 */
interface FrameState {
  readonly abort: AbortController;
  readonly passes: Map<number, 'completing' | 'held'>;
}

/** Options of a {@link CrosslinkClient}. */
export interface CrosslinkClientOptions {
  readonly chipletId: ChipletId;
  readonly resources: ResourceStore;
  readonly sink: BroadcastSink;
  /** Trace ids of frames, recorded from broadcasts. */
  readonly traces?: FrameTraces | undefined;
  /** Called with `true` when the worker has joined and with `false` when the link closes. */
  readonly onJoined: (isJoined: boolean, reason: string) => void;
}

/** A worker's end of the crosslink. */
export class CrosslinkClient {
  readonly #options: CrosslinkClientOptions;
  readonly #frames = new Map<FrameId, FrameState>();
  readonly #traces: FrameTraces;
  #connection: Connection | null = null;

  constructor(options: CrosslinkClientOptions) {
    this.#options = options;
    this.#traces = options.traces ?? new FrameTraces();
  }

  /** Joins the crosslink over a new connection. */
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

  /** Closes the link and releases its frames. */
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
    state.passes.set(passIndex, 'completing');
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
          // Acknowledge over the current connection, which may be newer than the one that delivered
          // the broadcast.
          this.#connection?.send({ type: 'broadcastHeld', ...trace, frameId, passIndex });
        },
        // Only the release of the frame cancels the wait. Then nothing depends on the broadcast.
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
