/**
 * Entry point of the compiled packet network, in AssemblyScript. Each instance of the module is one
 * network. network-engine.ts calls these functions.
 */

import { INJECTION, INJECTION_WORDS, MAX_INJECTIONS } from '../src/network/injections.ts';
import { PacketModel } from '../src/network/packet-model.ts';
import { PacketRoutes } from '../src/network/packet-routes.ts';

const injections = new StaticArray<f64>(MAX_INJECTIONS * INJECTION_WORDS);
let intervals = new StaticArray<f64>(256);
let model: PacketModel | null = null;
let routes: PacketRoutes | null = null;

/** Creates the network; see PacketModel. */
export function create(
  chipletCount: i32,
  priorities: i32,
  virtualChannelCount: i32,
  routerCycles: f64,
  headerBytes: f64,
  packetBytes: f64,
  portBytesPerCycle: f64,
): void {
  routes = new PacketRoutes(chipletCount);
  model = new PacketModel({
    chipletCount,
    priorities,
    virtualChannelCount,
    routerCycles,
    headerBytes,
    packetBytes,
    portBytesPerCycle,
  });
}

/** Address of the numbers of parts that the host writes. */
export function partsPtr(): usize {
  return changetype<usize>(routes!.parts);
}

/** Adds a link and returns its number. */
export function addLink(bytesPerCycle: f64, latencyCycles: f64): i32 {
  return routes!.addLink(bytesPerCycle, latencyCycles);
}

/** Adds a buffer at the end of a link. */
export function addBuffer(link: i32, virtualChannel: i32, capacityBytes: f64): i32 {
  return routes!.addBuffer(link, virtualChannel, capacityBytes);
}

/** Adds the lane of buffers whose numbers are in the parts. */
export function addLane(link: i32, count: i32): i32 {
  return routes!.addLane(link, count);
}

/** Adds a branch with the ends in the parts. */
export function addBranch(lane: i32, count: i32): i32 {
  return routes!.addBranch(lane, count);
}

/** Adds an end with the branches in the parts. */
export function addEnd(receiver: i32, leastCycles: f64, count: i32): i32 {
  return routes!.addEnd(receiver, leastCycles, count);
}

/** Address of the messages to inject, which the host writes. */
export function injectionsPtr(): usize {
  return changetype<usize>(injections);
}

/** Injects messages, each of INJECTION_WORDS. */
export function inject(count: i32): void {
  for (let i = 0; i < count; i++) {
    const at = i * INJECTION_WORDS;
    const message = model!.takeMessage(routes!.ends[<i32>injections[at + INJECTION.start]]);
    message.from = <i32>injections[at + INJECTION.from];
    message.to = <i32>injections[at + INJECTION.to];
    message.channel = <i32>injections[at + INJECTION.channel];
    message.priority = <i32>injections[at + INJECTION.priority];
    message.isRecorded = injections[at + INJECTION.isRecorded] !== 0;
    message.bytes = injections[at + INJECTION.bytes];
    message.injectCycle = injections[at + INJECTION.cycle];
    message.tag = injections[at + INJECTION.tag];
    message.line = <i32>injections[at + INJECTION.line];
    message.home = <i32>injections[at + INJECTION.home];
    model!.inject(message);
  }
}

/** Returns room to a receiver. */
export function release(buffer: i32, cycle: f64, bytes: f64): void {
  model!.release(routes!.buffers[buffer], cycle, bytes);
}

/** Number of bytes that wait at a chiplet to enter the network. */
export function waitingBytes(from: i32, channel: i32): f64 {
  return model!.waitingBytes(from, channel);
}

/** Next cycle in which something happens. */
export function nextCycle(): f64 {
  return model!.nextCycle;
}

/** Cycle before which no recorded message is delivered. */
export function nextRecordedCycle(): f64 {
  return model!.nextRecordedCycle;
}

/** Simulates all cycles before a cycle. Returns the number of deliveries. */
export function advance(untilCycle: f64): i32 {
  model!.advance(untilCycle);
  return model!.deliveries.count;
}

/** Address of the deliveries, each of DELIVERY_WORDS. */
export function deliveriesPtr(): usize {
  return changetype<usize>(model!.deliveries.words);
}

/** Writes the intervals of a message: link, start and end. Returns their number. */
export function writeIntervals(message: i32): i32 {
  const list = model!.pool.messages[message].intervals;
  const count = list.length;
  if (3 * count > intervals.length) intervals = new StaticArray<f64>(2 * 3 * count);
  for (let i = 0; i < count; i++) {
    intervals[3 * i] = list[i].link.index;
    intervals[3 * i + 1] = list[i].startCycle;
    intervals[3 * i + 2] = list[i].endCycle;
  }
  return count;
}

/** Address of the intervals that were written last. */
export function intervalsPtr(): usize {
  return changetype<usize>(intervals);
}

/** Number of packets that entered a link. */
export function packetCountOf(link: i32): f64 {
  return routes!.links[link].packetCount;
}

/** Number of bytes that entered a link, headers included. */
export function sentBytesOf(link: i32): f64 {
  return routes!.links[link].sentBytes;
}

/** Number of bytes that arrived over a link. */
export function receivedBytesOf(link: i32): f64 {
  return routes!.links[link].receivedBytes;
}

/** Largest number of bytes in a buffer. */
export function maxBytesOf(buffer: i32): f64 {
  return routes!.buffers[buffer].maxBytes;
}

/** Cycles that packets waited in the buffers of a virtual channel. */
export function waitCyclesOf(virtualChannel: i32): f64 {
  return model!.waitCycles[virtualChannel];
}

/** Cycles that packets waited at their senders. */
export function sourceWaitCycles(): f64 {
  return model!.sourceWaitCycles;
}
