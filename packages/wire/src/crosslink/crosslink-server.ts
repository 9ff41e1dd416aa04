/**
 * The visibility chiplet's end of the crosslink. It broadcasts commands, missing resources and
 * visibility streams to every connected worker. A worker that joins late receives the broadcasts of
 * all frames in progress. Workers acknowledge broadcasts, but rendering does not wait for that,
 * because a bin waits for its broadcast in the worker.
 */
import type { ChipletId, Crosslink, FrameBroadcast, FrameId } from '@tessera/frame';
import { type EncodedMessage, encodeInChunks } from '../codec/codec.ts';
import type { Connection } from '../connection/connection.ts';
import { FrameTraces } from '../messages/frame-traces.ts';
import { type Message, PROTOCOL_VERSION } from '../messages/messages.ts';
import { FrameResources, ResourceSender } from '../resources/resource-sender.ts';

/** Maximum number of released frames to remember. A broadcast of such a frame is dropped. */
const MAX_REMEMBERED_RELEASES = 1024;

/** Broadcast of a frame that has not been released. */
interface Broadcast {
  readonly message: FrameBroadcast;
  readonly resources: FrameResources;
  readonly encoded: EncodedMessage;
  readonly acknowledgedBy: Set<ChipletId>;
}

/** Options of a {@link CrosslinkServer}. */
export interface CrosslinkServerOptions {
  /** Trace ids of the broadcast frames. */
  readonly traces?: FrameTraces;
  readonly heartbeatMs: number;
  readonly heartbeatSilentLimit: number;
  /** Called when a link closes, with the reason. */
  readonly onLinkClosed?: (peer: string, reason: string) => void;
  /**
   * Called when all connected workers have a broadcast, and again when a worker that joined later
   * has it.
   */
  readonly onAcknowledged?: (frameId: FrameId, passIndex: number, workerCount: number) => void;
}

/** The visibility chiplet's end of the crosslink. */
export class CrosslinkServer implements Crosslink {
  readonly #options: CrosslinkServerOptions;
  readonly #traces: FrameTraces;
  readonly #links = new Set<WorkerLink>();
  readonly #broadcastsByFrame = new Map<FrameId, Broadcast[]>();
  readonly #released = new Set<FrameId>();

  constructor(options: CrosslinkServerOptions) {
    this.#options = options;
    this.#traces = options.traces ?? new FrameTraces();
  }

  /** Number of workers that have joined. */
  get workerCount(): number {
    return this.#links.size;
  }

  /** Accepts a new connection, whose first message must be `crosslinkHello`. */
  attach(connection: Connection): void {
    const { heartbeatMs, heartbeatSilentLimit, onLinkClosed } = this.#options;
    let link: WorkerLink | null = null;
    connection.startHeartbeat(heartbeatMs, heartbeatSilentLimit);
    connection.listen({
      onMessage: (message) => {
        if (link === null) link = this.#join(connection, message);
        else this.#receive(connection, link, message);
      },
      onClose: (reason) => {
        if (link !== null) this.#links.delete(link);
        onLinkClosed?.(connection.peer, reason);
      },
    });
  }

  async broadcast(message: FrameBroadcast): Promise<void> {
    const { frameId, frame, visibility } = message;
    if (this.#released.has(frameId)) return;
    const { commands } = frame;
    const broadcast: Broadcast = {
      message,
      resources: new FrameResources(frame),
      encoded: encodeInChunks({
        type: 'frameBroadcast',
        ...this.#traces.of(frameId),
        frameId,
        commands,
        visibility,
      }),
      acknowledgedBy: new Set(),
    };
    const others = this.#broadcastsByFrame.get(frameId) ?? [];
    this.#broadcastsByFrame.set(frameId, [...others, broadcast]);
    await Promise.all(
      Array.from(this.#links, (link) => link.sendBroadcast(broadcast).catch(link.close)),
    );
    broadcast.resources.dropEncoded();
  }

  /** Releases the broadcasts of a frame, here and in the workers. */
  release(frameId: FrameId): void {
    this.#released.add(frameId);
    if (this.#released.size > MAX_REMEMBERED_RELEASES) {
      this.#released.delete(this.#released.values().next().value!);
    }
    if (!this.#broadcastsByFrame.delete(frameId)) return;
    const encoded = encodeInChunks({
      type: 'releaseFrame',
      ...this.#traces.of(frameId),
      frameId,
    });
    for (const link of this.#links) link.sendSmall(encoded);
  }

  #join(connection: Connection, message: Message): WorkerLink | null {
    if (message.type !== 'crosslinkHello') {
      connection.close(`malformed message: ${message.type} before crosslinkHello`);
      return null;
    }
    if (message.protocolVersion !== PROTOCOL_VERSION) {
      connection.close(`protocol version ${message.protocolVersion}, not ${PROTOCOL_VERSION}`);
      return null;
    }
    const sender = new ResourceSender(connection, message.held);
    const link = new WorkerLink(message.chipletId, connection, sender);
    this.#links.add(link);
    const frameIds = [...this.#broadcastsByFrame.keys()];
    connection.send({ type: 'crosslinkWelcome', frameIds });
    for (const broadcasts of this.#broadcastsByFrame.values()) {
      for (const broadcast of broadcasts) {
        const dropEncoded = () => broadcast.resources.dropEncoded();
        link.sendBroadcast(broadcast).then(dropEncoded, link.close);
      }
    }
    return link;
  }

  #receive(connection: Connection, link: WorkerLink, message: Message): void {
    if (message.type === 'broadcastHeld') {
      this.#acknowledge(link.chipletId, message.frameId, message.passIndex);
      return;
    }
    if (message.type !== 'resourcesMissing') {
      connection.close(`malformed message: ${message.type} from a worker that joined`);
      return;
    }
    for (const broadcasts of this.#broadcastsByFrame.values()) {
      for (const { resources } of broadcasts) {
        link.resend(message.resources, resources).then(() => resources.dropEncoded(), link.close);
      }
    }
  }

  /** Records an acknowledgement. Ignores frames that were released in the meantime. */
  #acknowledge(chipletId: ChipletId, frameId: FrameId, passIndex: number): void {
    const broadcast = this.#broadcastsByFrame
      .get(frameId)
      ?.find(({ message }) => message.visibility.passIndex === passIndex);
    if (broadcast === undefined) return;
    const { acknowledgedBy } = broadcast;
    acknowledgedBy.add(chipletId);
    for (const link of this.#links) if (!acknowledgedBy.has(link.chipletId)) return;
    this.#options.onAcknowledged?.(frameId, passIndex, this.#links.size);
  }
}

/** Link to one worker. Messages stay in order even while sending waits for back-pressure. */
class WorkerLink {
  readonly chipletId: ChipletId;
  readonly #connection: Connection;
  readonly #sender: ResourceSender;
  #tail: Promise<void> = Promise.resolve();

  constructor(chipletId: ChipletId, connection: Connection, sender: ResourceSender) {
    this.chipletId = chipletId;
    this.#connection = connection;
    this.#sender = sender;
  }

  sendBroadcast({ message, resources, encoded }: Broadcast): Promise<void> {
    return this.#enqueue(async () => {
      await this.#sender.sendMissing(message.frame.commands, resources);
      this.#connection.sendEncoded(encoded);
      await this.#connection.drained();
    });
  }

  sendSmall(encoded: EncodedMessage): void {
    this.#enqueue(async () => this.#connection.sendEncoded(encoded)).catch(this.close);
  }

  /** Closes the link of a worker after a failed send. The worker joins again. */
  readonly close = (error: unknown): void => {
    this.#connection.close(`sending failed: ${error}`);
  };

  /** Sends resources without queueing, because queued messages may be waiting for them. */
  resend(...args: Parameters<ResourceSender['resend']>): Promise<void> {
    return this.#sender.resend(...args);
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#tail = this.#tail.then(step);
    return this.#tail;
  }
}
