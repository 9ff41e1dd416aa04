/**
 * Parameters of the packet network. They extend those of the crosslink, whose values are valid
 * here. docs/network.md has the sources of the defaults, and a test compares its table with this
 * one.
 */
import { RenderError } from '@tessera/frame';
import {
  DEFAULT_INTERCONNECT,
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
} from '../interconnect/interconnect-spec.ts';
import {
  NETWORK_TOPOLOGIES,
  NETWORK_TOPOLOGY_NAMES,
  type NetworkTopologyName,
} from './topologies/topologies.ts';

/** Hardware of the packet network. */
export interface NetworkSpec extends Omit<InterconnectSpec, 'topology'> {
  readonly topology: NetworkTopologyName;
  /** Bytes per cycle that enter or leave a chiplet, in each direction. */
  readonly portBytesPerCycle: number;
  /** Cycles that a packet spends in each router and switch, beside waits. */
  readonly routerCycles: number;
  /** Bytes that precede the data of each packet. */
  readonly headerBytes: number;
  /** Largest number of data bytes in a packet. */
  readonly packetBytes: number;
  /** Bytes that each virtual channel holds at an input. */
  readonly bufferBytes: number;
  /** Number of virtual channels for each channel and level. */
  readonly lanes: number;
  /** Number of priorities of packets. */
  readonly priorities: number;
  readonly chipletsPerPackage: number;
  readonly packageBytesPerCycle: number;
  readonly packageLatencyCycles: number;
}

/** Name of a parameter that is an integer. */
export type NetworkField = Exclude<keyof NetworkSpec, 'topology'>;

/** Unit, range and meaning of the parameters that are integers. */
export const NETWORK_FIELDS = {
  ...INTERCONNECT_FIELDS,
  portBytesPerCycle: {
    unit: 'bytes per cycle',
    min: 1,
    max: 65_536,
    meaning: 'enter or leave a chiplet in one direction',
  },
  routerCycles: {
    unit: 'cycles',
    min: 1,
    max: 1_000,
    meaning: 'of a packet in a router or switch, beside waits',
  },
  headerBytes: { unit: 'bytes', min: 1, max: 256, meaning: 'precede the data of a packet' },
  packetBytes: { unit: 'bytes', min: 1, max: 65_536, meaning: 'largest data of a packet' },
  bufferBytes: {
    unit: 'bytes',
    min: 2,
    max: 17_179_869_184,
    meaning: 'buffer of a virtual channel at an input, at least one packet',
  },
  lanes: {
    unit: 'number',
    min: 1,
    max: 8,
    meaning: 'virtual channels for requests, and as many for replies; twice as many on a ring',
  },
  priorities: { unit: 'number', min: 1, max: 4, meaning: 'priorities of packets' },
  chipletsPerPackage: {
    unit: 'chiplets',
    min: 1,
    max: 256,
    meaning: 'in a package of the topology `packages`',
  },
  packageBytesPerCycle: {
    unit: 'bytes per cycle',
    min: 1,
    max: 65_536,
    meaning: 'a link between packages carries',
  },
  packageLatencyCycles: {
    unit: 'cycles',
    min: 0,
    max: 100_000,
    meaning: 'from a byte sent to the byte received, between packages',
  },
} as const satisfies Record<
  NetworkField,
  { unit: string; min: number; max: number; meaning: string }
>;

/** Network of a chiplet without other parameters. */
export const DEFAULT_NETWORK: NetworkSpec = Object.freeze({
  ...DEFAULT_INTERCONNECT,
  portBytesPerCycle: 256,
  routerCycles: 1,
  headerBytes: 16,
  packetBytes: 4096,
  bufferBytes: 32_768,
  lanes: 1,
  priorities: 2,
  chipletsPerPackage: 4,
  packageBytesPerCycle: 64,
  packageLatencyCycles: 200,
});

/**
 * Returns {@link DEFAULT_NETWORK} with `overrides` applied. A field that is `undefined` keeps its
 * default.
 *
 * @throws {RenderError} REQUEST_INVALID, naming field, value and range.
 */
export function defineNetwork(
  overrides: { readonly [Name in keyof NetworkSpec]?: NetworkSpec[Name] | undefined } = {},
): NetworkSpec {
  const { topology = DEFAULT_NETWORK.topology } = overrides;
  if (!Object.hasOwn(NETWORK_TOPOLOGIES, topology)) {
    throw invalid('topology', `'${topology}' is not one of ${NETWORK_TOPOLOGY_NAMES.join(', ')}`);
  }
  const numbers = { ...DEFAULT_NETWORK } as Record<NetworkField, number>;
  for (const name of Object.keys(NETWORK_FIELDS) as NetworkField[]) {
    const value = overrides[name] ?? DEFAULT_NETWORK[name];
    const { min, max } = NETWORK_FIELDS[name];
    if (!Number.isInteger(value) || value < min || value > max) {
      throw invalid(name, `${value} is not an integer from ${min} to ${max}`);
    }
    numbers[name] = value;
  }
  const { bufferBytes, headerBytes, packetBytes } = numbers;
  if (bufferBytes < headerBytes + packetBytes) {
    throw invalid(
      'bufferBytes',
      `${bufferBytes} is less than a packet of ${headerBytes} + ${packetBytes} bytes`,
    );
  }
  return Object.freeze({ ...numbers, topology });
}

/**
 * Returns the network of a crosslink: a port is as wide as a link, and a buffer holds the packets
 * that are on their way while a link carries its bandwidth.
 */
export function networkOf(interconnect: InterconnectSpec): NetworkSpec {
  const { bytesPerCycle, latencyCycles } = interconnect;
  const { bufferBytes, headerBytes, packetBytes, routerCycles } = DEFAULT_NETWORK;
  // From the first byte of a packet to the report that its room is free, and the packet itself.
  const roundTripCycles = 2 * latencyCycles + routerCycles + 1;
  const neededBytes = roundTripCycles * bytesPerCycle + 2 * (headerBytes + packetBytes);
  return defineNetwork({
    ...interconnect,
    portBytesPerCycle: bytesPerCycle,
    bufferBytes: Math.max(bufferBytes, neededBytes),
  });
}

function invalid(name: string, reason: string): RenderError {
  return new RenderError('REQUEST_INVALID', `network ${name}: ${reason}`);
}
