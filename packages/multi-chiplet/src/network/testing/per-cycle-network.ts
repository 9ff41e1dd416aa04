/**
 * Reference for the packet network: looks at every link and every queue in every cycle. It shares
 * the topologies with the network under test, and nothing else. Routes are found hop by hop.
 */
import type { ChipletId } from '@tessera/frame';
import type { NetworkSpec } from '../network-spec.ts';
import type { Delivery, Packet } from '../packet-network.ts';
import type { Topology } from '../topologies/topology.ts';

interface Part {
  readonly packet: Packet;
  readonly injectCycle: number;
  readonly call: number;
  readonly bytes: number;
  readonly isLast: boolean;
  readonly receivers: readonly ChipletId[];
  readonly node: number;
  readonly level: number;
  readonly headCycle: number;
  readonly tailCycle: number;
  readonly age: number;
  /** Ways that are left; null until the part is at the head of its queue. */
  ways: Way[] | null;
  lastCycle: number;
  freeCycle: number;
}

/** Link that a part takes next, and what it becomes at each end. */
interface Way {
  readonly link: number;
  readonly ends: readonly {
    readonly buffer: string | null;
    readonly node: number;
    readonly level: number;
    readonly receivers: readonly ChipletId[];
  }[];
}

interface Queue {
  readonly parts: Part[];
  readonly isSource: boolean;
  readonly latencyCycles: number;
  freeBytes: number;
  freeCycle: number;
  lastByte: number;
}

/** Call of `inject`. */
interface Call {
  readonly packet: Packet;
  readonly receivers: readonly ChipletId[];
  readonly cycle: number;
  readonly call: number;
}

/** Network that is simulated cycle by cycle. */
export class PerCycleNetwork {
  readonly #topology: Topology;
  readonly #spec: NetworkSpec;
  readonly #links: {
    bytesPerCycle: number;
    latencyCycles: number;
    freeByte: number;
    lastBytes: number[];
  }[];
  readonly #queues = new Map<string, Queue>();
  readonly #calls: Call[] = [];
  #later: { cycle: number; apply: () => void }[] = [];
  #now = 0;
  readonly #deliveries: (Delivery & { readonly call: number; readonly injectCycle: number })[] = [];
  /** Bytes that entered each link: injection, topology, ejection. */
  readonly sentBytes: number[];
  waitCycles = 0;
  /** Largest number of bytes in a buffer, with those on their way to it. */
  maxBytes = 0;

  constructor(topology: Topology, spec: NetworkSpec) {
    this.#topology = topology;
    this.#spec = spec;
    const port = { bytesPerCycle: spec.portBytesPerCycle, latencyCycles: 0 };
    const ports = Array.from({ length: topology.chipletCount }, () => port);
    this.#links = [...ports, ...topology.links, ...ports].map((link) => ({
      ...link,
      freeByte: 0,
      lastBytes: Array.from({ length: topology.chipletCount }, () => -1),
    }));
    this.sentBytes = this.#links.map(() => 0);
    for (let from = 0; from < topology.chipletCount; from++) {
      for (const [i, channel] of ['request', 'reply'].entries()) {
        for (let priority = 0; priority < spec.priorities; priority++) {
          const lastByte = i * spec.priorities + priority - 1_000;
          const queue = { parts: [], isSource: true, latencyCycles: 0, freeBytes: 0, freeCycle: 0 };
          this.#queues.set(`source ${from} ${channel} ${priority}`, { ...queue, lastByte });
        }
      }
    }
  }

  inject(packet: Packet, receivers: ChipletId[], cycle: number): void {
    this.#calls.push({ packet, receivers, cycle, call: this.#calls.length });
  }

  /** Simulates until nothing is left. Returns all deliveries. */
  run(maxCycles: number): readonly Delivery[] {
    const isEmpty = () =>
      this.#later.length === 0 &&
      [...this.#queues.values()].every(({ parts }) => parts.length === 0);
    for (; this.#now < maxCycles; this.#now++) {
      const due = this.#later.filter(({ cycle }) => cycle === this.#now);
      this.#later = this.#later.filter(({ cycle }) => cycle > this.#now);
      for (const { apply } of due) apply();
      for (const call of this.#calls) if (call.cycle === this.#now) this.#enqueue(call);
      let hasSent = true;
      while (hasSent) {
        hasSent = false;
        for (let link = 0; link < this.#links.length; link++) {
          if (this.#serve(link)) hasSent = true;
        }
      }
      if (isEmpty() && this.#calls.every(({ cycle }) => cycle <= this.#now)) break;
    }
    return this.#deliveries
      .sort(
        (a, b) =>
          a.cycle - b.cycle ||
          a.packet.to - b.packet.to ||
          a.packet.from - b.packet.from ||
          a.injectCycle - b.injectCycle ||
          a.call - b.call,
      )
      .map(({ packet, cycle }) => ({ packet, cycle }));
  }

  #enqueue(given: Call): void {
    const { packet, receivers, cycle: injectCycle, call } = given;
    const { from, channel, priority = 0, bytes } = packet;
    const { packetBytes, headerBytes } = this.#spec;
    const count = Math.max(1, Math.ceil(bytes / packetBytes));
    for (let i = 0; i < count; i++) {
      this.#queues.get(`source ${from} ${channel} ${priority}`)!.parts.push({
        packet,
        injectCycle,
        call,
        bytes: headerBytes + Math.min(packetBytes, bytes - i * packetBytes),
        isLast: i === count - 1,
        receivers,
        node: -1,
        level: 0,
        headCycle: injectCycle,
        tailCycle: injectCycle,
        age: 0,
        ways: null,
        lastCycle: 0,
        freeCycle: 0,
      });
    }
  }

  #bufferName(input: number | string, { packet }: Part, level: number): string {
    return `${input} ${packet.channel} ${level} ${packet.from % this.#spec.lanes}`;
  }

  #bufferAt(name: string, link: number): Queue {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      const { latencyCycles } = this.#links[link]!;
      const rest = { freeCycle: 0, lastByte: 0, freeBytes: this.#spec.bufferBytes };
      queue = { parts: [], isSource: false, latencyCycles, ...rest };
      this.#queues.set(name, queue);
    }
    return queue;
  }

  /** Returns the ways on which a part leaves its queue. */
  #waysOf(part: Part): Way[] {
    const { packet, receivers, node, level } = part;
    const { chipletCount, links, inputs } = this.#topology;
    if (node < 0) {
      const buffer = this.#bufferName(`port ${packet.from}`, part, 0);
      return [{ link: packet.from, ends: [{ buffer, node: packet.from, level: 0, receivers }] }];
    }
    const ways: Way[] = [];
    if (receivers.includes(node)) {
      const end = { buffer: null, node, level, receivers: [node] };
      ways.push({ link: chipletCount + links.length + node, ends: [end] });
    }
    const others = receivers.filter((to) => to !== node);
    const hops = others.map((to) => ({ to, ...this.#topology.hop(node, to, level) }));
    for (const link of new Set(hops.map((hop) => hop.link))) {
      const onLink = hops.filter((hop) => hop.link === link);
      const ends = [...new Set(onLink.map(({ input }) => input))].map((input) => {
        const own = onLink.filter((hop) => hop.input === input);
        return {
          buffer: this.#bufferName(input, part, own[0]!.level),
          node: inputs[input]!.node,
          level: own[0]!.level,
          receivers: own.map(({ to }) => to),
        };
      });
      ways.push({ link: chipletCount + link, ends });
    }
    return ways;
  }

  #serve(link: number): boolean {
    const { bytesPerCycle, freeByte, lastBytes } = this.#links[link]!;
    if (freeByte >= (this.#now + 1) * bytesPerCycle) return false;
    const waiting: { queue: Queue; part: Part; way: Way; turn: number; last: number }[] = [];
    for (const queue of this.#queues.values()) {
      const part = queue.parts[0];
      if (part === undefined || queue.freeCycle > this.#now) continue;
      part.ways ??= this.#waysOf(part);
      for (const way of part.ways) {
        const duration = Math.ceil(part.bytes / bytesPerCycle);
        if (way.link !== link || part.headCycle > this.#now) continue;
        if (part.tailCycle > this.#now + duration - 1) continue;
        const turn = queue.isSource ? queue.lastByte : part.age;
        waiting.push({ queue, part, way, turn, last: lastBytes[part.packet.from]! });
      }
    }
    waiting.sort(
      (a, b) =>
        (b.part.packet.priority ?? 0) - (a.part.packet.priority ?? 0) ||
        a.last - b.last ||
        a.part.packet.from - b.part.packet.from ||
        a.turn - b.turn,
    );
    const reserved = new Set<string>();
    for (const { queue, part, way } of waiting) {
      const names = way.ends.flatMap(({ buffer }) => buffer ?? []);
      const hasRoom = names.every(
        (name) => !reserved.has(name) && this.#bufferAt(name, link).freeBytes >= part.bytes,
      );
      if (hasRoom) {
        this.#send(queue, part, way);
        return true;
      }
      for (const name of names) reserved.add(name);
    }
    return false;
  }

  #send(queue: Queue, part: Part, way: Way): void {
    const link = this.#links[way.link]!;
    const { bytesPerCycle, latencyCycles } = link;
    const startByte = Math.max(link.freeByte, this.#now * bytesPerCycle);
    link.freeByte = startByte + part.bytes;
    this.sentBytes[way.link]! += part.bytes;
    const lastCycle = Math.ceil(link.freeByte / bytesPerCycle) - 1;
    const duration = Math.ceil(part.bytes / bytesPerCycle);
    this.waitCycles += this.#now - Math.max(part.headCycle, part.tailCycle - duration + 1);
    link.lastBytes[part.packet.from] = startByte;
    if (queue.isSource) queue.lastByte = startByte;
    const age = queue.isSource ? startByte : part.age;
    const delay = latencyCycles + this.#spec.routerCycles;
    for (const { buffer, node, level, receivers } of way.ends) {
      if (buffer === null) {
        if (part.isLast) this.#deliverAt(lastCycle + 1, part, node);
        continue;
      }
      const target = this.#bufferAt(buffer, way.link);
      target.freeBytes -= part.bytes;
      this.maxBytes = Math.max(this.maxBytes, this.#spec.bufferBytes - target.freeBytes);
      const headCycle = this.#now + delay;
      const tailCycle = lastCycle + delay;
      const fresh = { ways: null, lastCycle: 0, freeCycle: 0 };
      const moved: Part = { ...part, ...fresh, node, level, receivers, age, headCycle, tailCycle };
      this.#later.push({ cycle: headCycle, apply: () => target.parts.push(moved) });
    }
    part.ways = part.ways!.filter((other) => other !== way);
    part.lastCycle = Math.max(part.lastCycle, lastCycle);
    part.freeCycle = Math.max(part.freeCycle, Math.floor(link.freeByte / bytesPerCycle));
    if (part.ways.length > 0) return;
    queue.parts.shift();
    queue.freeCycle = part.freeCycle;
    if (queue.isSource) return;
    const cycle = part.lastCycle + 1 + queue.latencyCycles;
    const { bytes } = part;
    this.#later.push({
      cycle,
      apply: () => {
        queue.freeBytes += bytes;
      },
    });
  }

  #deliverAt(cycle: number, { packet, call, injectCycle }: Part, to: ChipletId): void {
    this.#later.push({
      cycle,
      apply: () => this.#deliveries.push({ packet: { ...packet, to }, cycle, call, injectCycle }),
    });
  }
}
