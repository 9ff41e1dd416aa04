/** Trains in a network: which messages travel as trains, and when their packets are computed. */
import type { ChipletId } from '@tessera/frame';
import { dissolveTrain, type TrainEvents } from './dissolve-train.ts';
import type { Message, PacketCopy } from './network-parts.ts';
import type { NetworkSpec } from './network-spec.ts';
import type { NetworkTraffic } from './network-traffic.ts';
import { type SourceQueue, wireBytes } from './source-queue.ts';
import { Train } from './train.ts';
import type { ServicePoint } from './train-parts.ts';

/** Number of packets from which a message travels as a train. */
const TRAIN_PACKETS = 4;

/** Happening in a train at a cycle. */
export type TrainEvent =
  /** The packet after the computed ones can leave the source queue. */
  | { readonly kind: 'source'; readonly train: Train }
  /** All packets have passed the route. */
  | { readonly kind: 'end'; readonly train: Train }
  | TrainDelivery;

/** Arrival of the last packet of a message. */
interface TrainDelivery {
  readonly kind: 'message';
  readonly message: Message;
  readonly receiver: ChipletId;
  readonly cycle: number;
  /** Whether the train was dissolved before. */
  isCanceled: boolean;
}

/** Network that trains are in. */
export interface TrainHost extends TrainEvents {
  /** Returns the point of the simulation. */
  point(): ServicePoint;
  addEvent(cycle: number, event: TrainEvent): void;
  /** Delivers a message to a receiver. */
  complete(message: Message, receiver: ChipletId): void;
}

/** Trains of one network. */
export class TrainYard {
  readonly #host: TrainHost;
  readonly #spec: NetworkSpec;
  readonly #traffic: NetworkTraffic;
  readonly #areTrainsUsed: boolean;
  /** Trains with the deliveries that were computed for them. */
  readonly #trains = new Map<Train, TrainDelivery[]>();

  constructor(host: TrainHost, spec: NetworkSpec, traffic: NetworkTraffic, areTrainsUsed: boolean) {
    this.#host = host;
    this.#spec = spec;
    this.#traffic = traffic;
    this.#areTrainsUsed = areTrainsUsed;
  }

  /** Applies an event. Events of trains that were dissolved have no effect. */
  apply(event: TrainEvent): void {
    if (event.kind === 'message') {
      if (event.isCanceled) return;
      if (event.message.intervals !== null) this.applyAll(this.#host.point());
      this.#host.complete(event.message, event.receiver);
    } else if (this.#trains.has(event.train)) {
      if (event.kind === 'source') this.#continueIfDue(event.train);
      else this.#endTrain(event.train);
    }
  }

  /** Applies the effects of all trains up to a point. */
  applyAll(point: ServicePoint): void {
    for (const train of this.#trains.keys()) this.#applyTrain(train, point);
  }

  /** Lets a train continue with a message that was added to its source queue. */
  follow(source: SourceQueue, { route }: Message): void {
    const { train } = route.lane.link;
    if (train?.source === source) this.#continueIfDue(train);
  }

  #applyTrain(train: Train, point: ServicePoint): void {
    if (train.cruiseEnd !== null) {
      train.endCruise(point.cycle);
      while (!train.isComputed && train.sourceCycle <= point.cycle) this.#computeBlock(train);
      const { sourceCycle } = train;
      if (sourceCycle > point.cycle) this.#host.addEvent(sourceCycle, { kind: 'source', train });
    }
    train.apply(point, this.#traffic);
  }

  /** Sends a message as a train. Returns false if its route is not free. */
  join(source: SourceQueue, { message, packetIndex }: PacketCopy): boolean {
    if (this.#host.point().round > 0 || packetIndex > 0) return false;
    const { route, packet, packetCount } = message;
    let { train } = route.lane.link;
    if (train !== null) {
      if (train.source !== source || train.route !== route) return false;
    } else {
      if (!this.#areTrainsUsed || packetCount < TRAIN_PACKETS) return false;
      // A message behind it could take another route in this cycle, and dissolve the train.
      const isShort = wireBytes(this.#spec, packet.bytes) <= this.#spec.portBytesPerCycle;
      if (isShort && source.messageAt(1) !== undefined) return false;
      train = new Train(source, route, this.#spec);
      if (!train.isRouteFree) return false;
      for (const { link } of train.stages) link.train = train;
      this.#trains.set(train, []);
    }
    train.append(message);
    this.#continueTrain(train);
    return true;
  }

  #continueIfDue(train: Train): void {
    const isAtSource = !train.hasLeftSource;
    const dueCycle = train.cruiseEnd ?? train.sourceCycle;
    if (isAtSource && dueCycle <= this.#host.point().cycle) this.#continueTrain(train);
  }

  /** Computes packets of a train until its source queue is busy in later cycles. */
  #continueTrain(train: Train): void {
    const { source } = train;
    train.endCruise(this.#host.point().cycle);
    for (;;) {
      if (train.sourceCycle > this.#host.point().cycle) {
        this.#host.addEvent(train.sourceCycle, { kind: 'source', train });
        return;
      }
      train.apply(this.#host.point(), this.#traffic);
      train.leaveSource();
      if (train.cruise(this.#host.point().cycle, this.#traffic)) {
        this.#host.addEvent(train.cruiseEnd!, { kind: 'source', train });
        return;
      }
      train.dropFinished();
      if (train.isComputed) {
        const follower = source.messageAt(train.messagesAtSource);
        if (follower === undefined) break;
        if (follower.route !== train.route) {
          this.dissolve(train);
          return;
        }
        train.append(follower);
      }
      this.#computeBlock(train);
    }
    if (train.messagesAtSource > 0) {
      // The last packets leave in this cycle. Until then, a new message could follow them.
      this.#host.addEvent(this.#host.point().cycle + 1, { kind: 'source', train });
      return;
    }
    source.isOffered = false;
    source.freeCycle = train.sourceCycle;
    train.hasLeftSource = true;
    this.#endTrain(train);
  }

  #computeBlock(train: Train): void {
    train.computeBlock();
    if (!train.isComputed) return;
    const now = this.#host.point().cycle;
    const deliveries = this.#trains.get(train)!.filter(({ cycle }) => cycle > now);
    this.#trains.set(train, deliveries);
    const { message } = train.messages.at(-1)!;
    for (const { receiver, cycle } of train.listArrivals()) {
      const event: TrainDelivery = { kind: 'message', message, receiver, cycle, isCanceled: false };
      deliveries.push(event);
      this.#host.addEvent(cycle, event);
    }
  }

  /** Removes a train that has passed its route. */
  #endTrain(train: Train): void {
    if (!train.hasLeftSource) return;
    if (train.endCycle > this.#host.point().cycle)
      this.#host.addEvent(train.endCycle, { kind: 'end', train });
    else this.dissolve(train);
  }

  /** Replaces a train by its packets. */
  dissolve(train: Train): void {
    const point = this.#host.point();
    this.#applyTrain(train, point);
    for (const { link } of train.stages) link.train = null;
    for (const event of this.#trains.get(train)!) event.isCanceled = event.cycle > point.cycle;
    this.#trains.delete(train);
    const isAtSource = !train.hasLeftSource;
    if (isAtSource) train.restoreSource();
    dissolveTrain(train, point, this.#host);
    if (isAtSource) this.#host.offerHead(train.source);
  }
}
