import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChipletNetwork } from './chiplet-network.ts';
import { defineNetwork, type NetworkSpec } from './network-spec.ts';
import type { Delivery, Packet } from './packet-network.ts';
import { PerCycleNetwork } from './testing/per-cycle-network.ts';
import { NETWORK_TOPOLOGIES, NETWORK_TOPOLOGY_NAMES } from './topologies/topologies.ts';

/** Traffic: packets with their cycles. `to` is null for a multicast. */
interface Sending {
  readonly packet: Omit<Packet, 'to'>;
  readonly to: number | null;
  readonly cycle: number;
}

const smallSpec = fc
  .record({
    topology: fc.constantFrom(...NETWORK_TOPOLOGY_NAMES),
    bytesPerCycle: fc.constantFrom(1, 7, 16, 64, 300),
    latencyCycles: fc.constantFrom(0, 1, 5, 20),
    portBytesPerCycle: fc.constantFrom(3, 16, 64, 256),
    routerCycles: fc.integer({ min: 1, max: 3 }),
    headerBytes: fc.constantFrom(1, 8, 16),
    packetBytes: fc.constantFrom(5, 16, 40),
    bufferBytes: fc.constantFrom(56, 64, 100, 1_000),
    lanes: fc.integer({ min: 1, max: 2 }),
    priorities: fc.constant(2),
    chipletsPerPackage: fc.integer({ min: 1, max: 4 }),
    packageBytesPerCycle: fc.constantFrom(2, 16),
    packageLatencyCycles: fc.constantFrom(0, 30),
  })
  .map(defineNetwork);

/** Sizes and times of random traffic. */
interface TrafficShape {
  readonly bytes: fc.Arbitrary<number>;
  readonly cycle: fc.Arbitrary<number>;
  readonly maxLength: number;
}

/** Many messages that contend with each other. */
const DENSE: TrafficShape = {
  bytes: fc.oneof(fc.nat(60), fc.nat(400)),
  cycle: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(300)),
  maxLength: 60,
};
/** Long messages, alone for some time, and short ones that meet them. */
const SPARSE: TrafficShape = {
  bytes: fc.oneof(fc.nat(60), fc.nat(400), fc.nat(3_000), fc.integer({ min: 3_000, max: 9_000 })),
  cycle: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(1_500), fc.nat(6_000)),
  maxLength: 7,
};

/** Returns random traffic for a number of chiplets. */
function trafficFor(chipletCount: number, shape: TrafficShape): fc.Arbitrary<readonly Sending[]> {
  const sending = fc
    .record({
      from: fc.oneof(fc.constant(0), fc.nat(chipletCount - 1)),
      offset: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: chipletCount - 1 })),
      isMulticast: fc.integer({ min: 0, max: 7 }).map((value) => value === 0),
      channel: fc.constantFrom('request' as const, 'reply' as const),
      bytes: shape.bytes,
      priority: fc.integer({ min: 0, max: 1 }),
      cycle: shape.cycle,
    })
    .map(({ from, offset, isMulticast, channel, bytes, priority, cycle }) => ({
      packet: { from, channel, bytes, priority, tag: 0 },
      to: isMulticast ? null : (from + offset) % chipletCount,
      cycle,
    }));
  return fc
    .array(sending, { maxLength: shape.maxLength, size: 'max' })
    .map((all) => all.map((each, tag) => ({ ...each, packet: { ...each.packet, tag } })));
}

function machineWith(shape: TrafficShape) {
  return fc.tuple(smallSpec, fc.integer({ min: 2, max: 9 })).chain(([spec, chipletCount]) =>
    fc.record({
      spec: fc.constant(spec),
      chipletCount: fc.constant(chipletCount),
      traffic: trafficFor(chipletCount, shape),
      steps: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
    }),
  );
}

function send(network: ChipletNetwork, { packet, to, cycle }: Sending): void {
  if (to === null) network.injectToAll(packet, cycle);
  else network.inject({ ...packet, to }, cycle);
}

function summarize(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ packet, cycle }) => `${packet.tag} to ${packet.to} at ${cycle}`);
}

/** Simulates in parts, with packets announced as late as possible. */
function simulate(
  spec: NetworkSpec,
  chipletCount: number,
  traffic: readonly Sending[],
  steps: readonly number[],
) {
  const network = new ChipletNetwork({ chipletCount, spec });
  const left = [...traffic].sort((a, b) => a.cycle - b.cycle);
  const deliveries: Delivery[] = [];
  for (let bound = 0, i = 0; left.length > 0; i++) {
    bound += steps[i % steps.length]!;
    while (left.length > 0 && left[0]!.cycle < bound) send(network, left.shift()!);
    deliveries.push(...network.advance(bound));
  }
  deliveries.push(...network.advance(Number.POSITIVE_INFINITY));
  return { network, deliveries };
}

describe('packet network', () => {
  it.each([
    ['contending packets', DENSE, 100],
    ['long messages that others meet', SPARSE, 100],
  ] as const)('equals a simulation of every cycle: %s', (_name, shape, numRuns) => {
    fc.assert(
      fc.property(machineWith(shape), ({ spec, chipletCount, traffic, steps }) => {
        const { network, deliveries } = simulate(spec, chipletCount, traffic, steps);
        const topology = NETWORK_TOPOLOGIES[spec.topology].make({ ...spec, chipletCount });
        const reference = new PerCycleNetwork(topology, spec);
        for (const { packet, to, cycle } of traffic) {
          const ids = Array.from({ length: chipletCount }, (_, id) => id);
          const receivers = to === null ? ids.filter((id) => id !== packet.from) : [to];
          reference.inject({ ...packet, to: to ?? packet.from }, receivers, cycle);
        }
        expect(summarize(deliveries)).toEqual(summarize(reference.run(1_000_000)));
        const links = network.traffic.listLinks();
        expect(links.map(({ sentBytes }) => sentBytes)).toEqual(
          reference.sentBytes.filter((bytes) => bytes > 0),
        );
        const channels = network.traffic.listVirtualChannels();
        const waitCycles = channels.reduce((sum, each) => sum + each.waitCycles, 0);
        expect(waitCycles + network.traffic.sourceWaitCycles).toBe(reference.waitCycles);
        expect(Math.max(...channels.map(({ maxBytes }) => maxBytes))).toBe(reference.maxBytes);
      }),
      { numRuns },
    );
  });
});
