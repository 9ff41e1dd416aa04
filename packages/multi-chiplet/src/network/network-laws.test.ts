/** Laws of the packet network: conservation, order, latency and throughput by arithmetic. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChipletNetwork } from './chiplet-network.ts';
import { DEFAULT_NETWORK, defineNetwork, type NetworkSpec } from './network-spec.ts';
import type { Delivery, Packet } from './packet-network.ts';
import { makeDraw } from './testing/make-draw.ts';
import { NETWORK_TOPOLOGY_NAMES } from './topologies/topologies.ts';

interface Sending {
  readonly packet: Packet;
  readonly cycle: number;
}

/** Returns traffic that keeps all parts busy, with some long messages. */
function makeTraffic(chipletCount: number, count: number, seed: number): Sending[] {
  const draw = makeDraw(seed);
  return Array.from({ length: count }, (_, tag) => {
    const from = draw(chipletCount);
    const to = (from + 1 + draw(chipletCount - 1)) % chipletCount;
    const channel = draw(2) === 0 ? 'request' : 'reply';
    const bytes = draw(10) === 0 ? draw(2_000) : draw(65);
    return { packet: { from, to, channel, bytes, tag } as const, cycle: draw(count) };
  }).sort((a, b) => a.cycle - b.cycle);
}

const TIGHT: Partial<NetworkSpec> = {
  bytesPerCycle: 16,
  latencyCycles: 3,
  portBytesPerCycle: 32,
  headerBytes: 8,
  packetBytes: 64,
  bufferBytes: 144,
  packageBytesPerCycle: 8,
  packageLatencyCycles: 9,
};

function makeNetwork(chipletCount: number, spec: Partial<NetworkSpec>): ChipletNetwork {
  return new ChipletNetwork({ chipletCount, spec: defineNetwork(spec) });
}

const machines = NETWORK_TOPOLOGY_NAMES.flatMap((topology) =>
  [2, 5, 9, 16].map((chipletCount) => ({ topology, chipletCount })),
);

describe('laws of the packet network', () => {
  it.each(machines)(
    '$topology of $chipletCount keeps bytes, order and lookahead',
    ({ topology, chipletCount }) => {
      const network = makeNetwork(chipletCount, { ...TIGHT, topology, lanes: 2 });
      const traffic = makeTraffic(chipletCount, 600, chipletCount);
      for (const { packet, cycle } of traffic) network.inject(packet, cycle);
      const deliveries = network.advance(Number.POSITIVE_INFINITY);

      expect(deliveries.map(({ packet }) => packet.tag).sort((a, b) => a - b)).toEqual(
        traffic.map(({ packet }) => packet.tag).sort((a, b) => a - b),
      );
      for (const { name, sentBytes, receivedBytes } of network.traffic.listLinks()) {
        expect([name, receivedBytes]).toEqual([name, sentBytes]);
      }
      const sum = (packets: readonly { readonly packet: Packet }[]) =>
        packets.reduce((bytes, { packet }) => bytes + packet.bytes, 0);
      expect(sum(deliveries)).toBe(sum(traffic));

      const cycleByTag = new Map(traffic.map(({ packet, cycle }) => [packet.tag, cycle]));
      const sent = new Map<string, number[]>();
      for (const { packet } of traffic) append(sent, flowOf(packet), packet.tag);
      const received = new Map<string, number[]>();
      for (const { packet, cycle } of deliveries) {
        append(received, flowOf(packet), packet.tag);
        expect(cycle - cycleByTag.get(packet.tag)!).toBeGreaterThanOrEqual(network.lookaheadCycles);
      }
      expect([...received].sort()).toEqual([...sent].sort());
    },
  );

  it('does not depend on the calls of advance, or on when packets are announced', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 50 });
    const names = fc.constantFrom(...NETWORK_TOPOLOGY_NAMES);
    fc.assert(
      fc.property(names, fc.integer({ min: 2, max: 8 }), cuts, (topology, chipletCount, steps) => {
        const traffic = makeTraffic(chipletCount, 120, steps[0]!);
        const whole = makeNetwork(chipletCount, { ...TIGHT, topology });
        for (const { packet, cycle } of traffic) whole.inject(packet, cycle);
        const expected = whole.advance(Number.POSITIVE_INFINITY);

        const cut = makeNetwork(chipletCount, { ...TIGHT, topology });
        const deliveries: Delivery[] = [];
        const left = [...traffic];
        for (let bound = 0, i = 0; left.length > 0; i++) {
          bound += steps[i % steps.length]!;
          while (left.length > 0 && left[0]!.cycle < bound) {
            const { packet, cycle } = left.shift()!;
            cut.inject(packet, cycle);
          }
          deliveries.push(...cut.advance(bound));
        }
        deliveries.push(...cut.advance(Number.POSITIVE_INFINITY));
        expect(deliveries).toEqual(expected);
        expect(cut.traffic.listLinks()).toEqual(whole.traffic.listLinks());
        expect(cut.traffic.listVirtualChannels()).toEqual(whole.traffic.listVirtualChannels());
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a packet for a cycle that was simulated', () => {
    const network = makeNetwork(2, {});
    const packet = { from: 0, to: 1, channel: 'request', bytes: 1, tag: 0 } as const;
    network.advance(10);
    expect(() => network.inject(packet, 9)).toThrow(/cycle 9 is before 10/);
    network.inject(packet, 10);
    expect(() => network.inject({ ...packet, to: 0 }, 10)).toThrow(/sends to itself/);
  });

  it('sends a multicast to each other chiplet once, over each link at most once', () => {
    for (const topology of NETWORK_TOPOLOGY_NAMES) {
      const network = makeNetwork(9, { ...TIGHT, topology });
      network.injectToAll({ from: 0, channel: 'request', bytes: 1_000, tag: 7 }, 5);
      const receivers = network.advance(Number.POSITIVE_INFINITY).map(({ packet }) => packet.to);
      expect(receivers.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      // 16 packets of 8 + up to 64 bytes.
      const links = network.traffic.listLinks();
      expect(new Set(links.map(({ sentBytes }) => sentBytes))).toEqual(new Set([1_128]));
      expect(links.length - 9).toBe(
        { bus: 1, ring: 8, full: 8, mesh: 8, switch: 9, packages: 1 + 8 + 2 }[topology],
      );
    }
  });
});

function flowOf({ from, to, channel }: Packet): string {
  return `${from} ${to} ${channel}`;
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

describe('latency without traffic', () => {
  /** Returns the latency of one packet of 64 + 16 bytes, which passes each wide link in a cycle. */
  function latencyOf(spec: Partial<NetworkSpec>, chipletCount: number, from: number, to: number) {
    const network = makeNetwork(chipletCount, spec);
    network.inject({ from, to, channel: 'reply', bytes: 64, tag: 0 }, 1_000);
    return network.advance(Number.POSITIVE_INFINITY)[0]!.cycle - 1_000;
  }

  it('is a router more than links crossed, their latencies, and a cycle for the bytes', () => {
    const hops = (count: number) => (count + 1) * 1 + count * 32 + 1;
    expect(latencyOf({ topology: 'bus' }, 16, 3, 12)).toBe(hops(1));
    expect(latencyOf({ topology: 'full' }, 16, 3, 12)).toBe(hops(1));
    expect(latencyOf({ topology: 'switch' }, 16, 3, 12)).toBe(hops(2));
    // Down from 3 to 0 and on to 12 of 16 takes 7 links, up takes 9.
    expect(latencyOf({ topology: 'ring' }, 16, 3, 12)).toBe(hops(7));
    // Column 3 of row 0, column 0 of row 3.
    expect(latencyOf({ topology: 'mesh' }, 16, 3, 12)).toBe(hops(6));
    expect(latencyOf({ topology: 'packages' }, 16, 1, 2)).toBe(hops(2));
    // Three links, one of them with 200 cycles and 64 bytes a cycle: the packet takes 2 cycles on
    // it, and is collected for another one in front of the next link.
    expect(latencyOf({ topology: 'packages' }, 16, 3, 12)).toBe(4 + 2 * 32 + 200 + 2);
  });

  it('grows by the bytes of a message over the slowest link', () => {
    const network = makeNetwork(4, {
      topology: 'ring',
      bytesPerCycle: 32,
      portBytesPerCycle: 64,
      packetBytes: 256,
    });
    network.inject({ from: 0, to: 1, channel: 'request', bytes: 25_600, tag: 0 }, 0);
    // 100 packets of 272 bytes. The port collects 8.5 cycles of the last one for 4.25 cycles.
    const { cycle } = network.advance(Number.POSITIVE_INFINITY)[0]!;
    expect(cycle).toBe((100 * 272) / 32 + 32 + 2 * 1);
  });

  it('is the lookahead for the closest pair of chiplets', () => {
    for (const topology of NETWORK_TOPOLOGY_NAMES) {
      const { lookaheadCycles } = makeNetwork(9, { topology });
      const latencies: number[] = [];
      for (let from = 0; from < 9; from++) {
        for (let to = 0; to < 9; to++) {
          if (to !== from) latencies.push(latencyOf({ topology, headerBytes: 16 }, 9, from, to));
        }
      }
      // Both 16 and 80 bytes take one cycle.
      expect(lookaheadCycles).toBe(Math.min(...latencies));
    }
  });
});

/** Returns the bytes with headers that arrive per cycle while every source queue is full. */
function measureThroughput(
  spec: Partial<NetworkSpec>,
  chipletCount: number,
  receiverOf: (from: number, draw: (bound: number) => number) => number | null,
): number {
  const network = makeNetwork(chipletCount, { headerBytes: 16, packetBytes: 64, ...spec });
  const draw = makeDraw(chipletCount);
  const [warmUp, end, step] = [2_000, 12_000, 20];
  let packets = 0;
  for (let cycle = 0; cycle < end; cycle += step) {
    for (let from = 0; from < chipletCount; from++) {
      const missing = Math.ceil((80 * 40 - network.waitingBytes(from, 'request')) / 80);
      for (let i = 0; i < missing; i++) {
        const to = receiverOf(from, draw);
        if (to === null) break;
        network.inject({ from, to, channel: 'request', bytes: 64, tag: 0 }, cycle);
      }
    }
    for (const delivery of network.advance(cycle + step)) if (delivery.cycle >= warmUp) packets++;
  }
  return (packets * 80) / (end - warmUp);
}

describe('throughput of a saturated network', () => {
  const WIDE: Partial<NetworkSpec> = {
    bytesPerCycle: 16,
    latencyCycles: 1,
    portBytesPerCycle: 64,
    bufferBytes: 4_096,
  };
  const toOther = (chipletCount: number) => (from: number, draw: (bound: number) => number) =>
    (from + 1 + draw(chipletCount - 1)) % chipletCount;

  it('is the bandwidth of the port of a receiver that all send to', () => {
    for (const topology of ['full', 'mesh', 'switch'] as const) {
      const spec = { ...WIDE, topology, bytesPerCycle: 64, portBytesPerCycle: 24 };
      const throughput = measureThroughput(spec, 9, (from) => (from === 0 ? null : 0));
      expect(throughput / 24).toBeGreaterThan(0.995);
      expect(throughput / 24).toBeLessThanOrEqual(1.005);
    }
  });

  it('is the bandwidth of the bus', () => {
    const throughput = measureThroughput({ ...WIDE, topology: 'bus' }, 6, toOther(6));
    expect(throughput / 16).toBeGreaterThan(0.995);
    expect(throughput / 16).toBeLessThanOrEqual(1.005);
  });

  it('is the bandwidth of the bisection if all packets cross it', () => {
    // Row by row to the other half: 4 links in each direction cross the middle of a mesh of 4 × 4.
    const mesh = measureThroughput({ ...WIDE, topology: 'mesh' }, 16, (from) => from ^ 2);
    expect(mesh / (8 * 16)).toBeGreaterThan(0.99);
    expect(mesh / (8 * 16)).toBeLessThanOrEqual(1.01);
    const packages = { ...WIDE, topology: 'packages', packageBytesPerCycle: 8 } as const;
    const throughput = measureThroughput(packages, 8, (from) => (from + 4) % 8);
    expect(throughput / 16).toBeGreaterThan(0.99);
    expect(throughput / 16).toBeLessThanOrEqual(1.01);
  });

  it('gives each chiplet the same share of a contested link, however far away it is', () => {
    const network = makeNetwork(8, {
      ...WIDE,
      topology: 'ring',
      packetBytes: 64,
      bufferBytes: 160,
    });
    for (let from = 1; from < 8; from++) {
      network.inject({ from, to: 0, channel: 'request', bytes: 64 * 2_000, tag: from }, 0);
    }
    const countSent = () => {
      const links = network.traffic.listLinks();
      return [1, 2, 3, 4, 5, 6, 7].map(
        (from) => links.find(({ name }) => name === `${from}→network`)!.packets,
      );
    };
    network.advance(2_000);
    const before = countSent();
    network.advance(8_000);
    const shares = countSent().map((sent, i) => sent - before[i]!);
    // Two links lead to chiplet 0. Chiplets 1, 2 and 3 share one of them.
    for (const share of shares.slice(0, 3))
      expect(share / ((6_000 * 16) / 80 / 3)).toBeCloseTo(1, 1);
    for (const share of shares.slice(3)) expect(share / ((6_000 * 16) / 80 / 4)).toBeCloseTo(1, 1);
  });

  it('of a switch is that of queues with one head each (Karol, Hluchyj, Morgan 1987)', () => {
    // 2 − √2 of the bandwidth for many chiplets.
    const throughput = measureThroughput({ ...WIDE, topology: 'switch' }, 64, toOther(64));
    expect(throughput / (64 * 16)).toBeGreaterThan(0.98 * (2 - Math.SQRT2));
    expect(throughput / (64 * 16)).toBeLessThan(1.03 * (2 - Math.SQRT2));
  });

  it('of random traffic is below the bound of the busiest link, and above two thirds of it', () => {
    // Mean way N² / 4 (N − 1) over 2 N links; half of the other half crosses the middle of a mesh.
    const bounds = { ring: [16, (8 * 15) / 16 ** 2], mesh: [16, (4 * 15) / (8 * 8)] } as const;
    for (const [topology, [chipletCount, bound]] of Object.entries(bounds)) {
      const spec = { ...WIDE, topology: topology as keyof typeof bounds };
      const throughput = measureThroughput(spec, chipletCount, toOther(chipletCount));
      const share = throughput / (chipletCount * 16 * bound);
      expect(share).toBeGreaterThan(2 / 3);
      expect(share).toBeLessThan(1);
    }
  });
});

describe('defineNetwork', () => {
  it('applies defaults and rejects values out of range', () => {
    expect(defineNetwork()).toEqual(DEFAULT_NETWORK);
    expect(defineNetwork({ topology: 'mesh', lanes: 2 }).lanes).toBe(2);
    expect(() => defineNetwork({ topology: 'star' as 'bus' })).toThrow(/'star' is not one of bus/);
    expect(() => defineNetwork({ routerCycles: 0 })).toThrow(/routerCycles: 0 is not an integer/);
    expect(() => defineNetwork({ bufferBytes: 4111 })).toThrow(/4111 is less than a packet of 16/);
    expect(defineNetwork({ bufferBytes: 4112 }).bufferBytes).toBe(4112);
  });
});
