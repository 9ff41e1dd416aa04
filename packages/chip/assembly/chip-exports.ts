/**
 * Entry point of the compiled chip, in AssemblyScript. Each instance of the module is one chip.
 * chip-engine.ts calls these functions.
 */
import { Chip } from '../src/chip.ts';
import { TimingSpec } from '../src/records/timing-spec.generated.ts';
import { RunControl } from '../src/sim/run-control.ts';
import { VertexTraceSource } from '../src/sim/vertex-trace-source.ts';

/** Forms the trace of a vertex warp. The host provides it as an import of this file's name. */
declare function formVertexTrace(draw: i32, vertices: usize, count: i32): i32;

/** Returns whether the run is to stop. The host provides it. */
declare function isRunStopped(): bool;

class HostControl extends RunControl {
  isStopped(): bool {
    return isRunStopped();
  }
}

class HostTraces extends VertexTraceSource {
  form(draw: i32, vertices: Int32Array, count: i32): i32 {
    return formVertexTrace(draw, changetype<usize>(vertices), count);
  }
}

const words = new Int32Array(128);
let chip: Chip | null = null;

/** Cycle, bins that have left, stored arrivals, and messages in the outbox. */
const status = new StaticArray<i32>(4);

function writeStatus(): void {
  status[0] = chip!.clock.cycle;
  status[1] = chip!.leftCount;
  status[2] = chip!.storedCount;
  status[3] = chip!.outbox.end;
}

/** Address of the status, which is that after the last of `begin`, `advance`, `finish`, `runTo`. */
export function statusPtr(): usize {
  return changetype<usize>(status);
}

/** Address of the words that the host writes: the specification once, then the plan of each run. */
export function wordsPtr(): usize {
  return changetype<usize>(words);
}

/** Creates the chip from the words of its specification. */
export function create(maxUnitSpans: i32, isNaive: bool): void {
  const spec = new TimingSpec();
  spec.load(words);
  const traces = new HostTraces();
  const control = new HostControl();
  chip = new Chip({ spec, traces, control, maxUnitSpans, isNaive });
}

/** Starts a run of no bins. */
export function begin(): void {
  chip!.begin();
  writeStatus();
}

/** Adds a bin from the words of its plan. */
export function addBin(): void {
  chip!.addBin(words);
}

/** Removes lines from all caches. */
export function dropLines(first: i32, end: i32): void {
  chip!.dropLines(first, end);
}

/** Shares the memory of the chiplet with others, from the words of SHARED_MEMORY_WORDS. */
export function shareMemory(): void {
  chip!.shareMemory(words);
}

/** Adds the cycles of warps to a table of so many words. */
export function profileWarps(count: i32): void {
  chip!.profileWarps(count);
}

/** Address of the table of the cycles of warps. */
export function warpWaitsPtr(): usize {
  return changetype<usize>(chip!.records.warpWaits);
}

/** Number of words of this table. */
export function warpWaitsLength(): i32 {
  return chip!.records.warpWaits.length;
}

/** Address of the messages to other chiplets. */
export function outboxPtr(): usize {
  return changetype<usize>(chip!.outbox.words);
}

/** Removes the messages to other chiplets. */
export function clearOutbox(): void {
  chip!.clearOutbox();
  writeStatus();
}

/** Whether nothing happens before the chip gets a bin or a message. */
export function isIdle(): bool {
  return chip!.isIdle;
}

/** Names the modules that wait for each other, as an error. */
export function failAsleep(): void {
  chip!.failAsleep();
}

/** Sets what leaves with the newest bin. */
export function endBin(outputBytes: f64, streamBytes: f64): void {
  chip!.endBin(outputBytes, streamBytes);
}

/** Lets the pixels of the newest bin stay in memory. */
export function storeBin(line: i32, count: i32, isInterleaved: bool): void {
  chip!.storeBin(line, count, isInterleaved);
}

/** Stores lines that arrive over the link. */
export function storeArrival(line: i32, count: i32, cycle: i32): void {
  chip!.storeArrival(line, count, cycle);
}

/** Cycle after which an arrival was stored. */
export function storedAt(arrival: i32): i32 {
  return chip!.storedAt(arrival);
}

/** Sets the homes of drawn textures from the words of their ring. */
export function placeTargets(): void {
  chip!.placeTargets();
}

/** Cycle in which a bin had left the chiplet. */
export function leftAt(bin: i32): i32 {
  return chip!.leftAt(bin);
}

/** Simulates until the published records are used up. */
export function advance(): void {
  chip!.advance();
  writeStatus();
}

/** Simulates to the end of the run. */
export function finish(): void {
  chip!.finish();
  writeStatus();
}

/** Brings the counts and the states of all modules up to the current cycle. */
export function measure(): void {
  chip!.measure();
}

/** Cycle in which the last byte of a bin's visibility stream leaves. */
export function streamLeftAt(bin: i32): i32 {
  return chip!.streamLeftAt(bin);
}

/** Number of segments of a bin's stream that leave in a known cycle. */
export function segmentsSent(bin: i32): i32 {
  return chip!.segmentsSent(bin);
}

/** Cycle in which the last byte of a segment leaves. */
export function segmentLeftAt(bin: i32, segment: i32): i32 {
  return chip!.segmentLeftAt(bin, segment);
}

/** Closes the newest bin before its first primitive. */
export function closeBin(): void {
  chip!.closeBin();
}

/** Lets primitives of a closed bin be read from a cycle on. */
export function openBin(bin: i32, primitives: i32, cycle: i32): void {
  chip!.openBin(bin, primitives, cycle);
}

/** Number of cycles in which a bin waited for segments. */
export function waitedCyclesOf(bin: i32): i32 {
  return chip!.waitedCyclesOf(bin);
}

/** Simulates up to a cycle, or until a bin is wanted, was binned or has left. */
export function runTo(until: i32): void {
  chip!.runTo(until);
  writeStatus();
}

/** Whether the command processor wants another bin. */
export function wantsBin(): bool {
  return chip!.wantsBin;
}

/** Whether a set of the second-level cache was full when a line was to be added. */
export function hasFilledL2Set(): bool {
  return chip!.hasFilledL2Set;
}

/** Makes room for records of a ring and returns the address of the ring's words. */
export function reserve(ring: i32, count: i32): usize {
  chip!.records.rings[ring].reserve(count);
  return changetype<usize>(chip!.records.rings[ring].words);
}

/** Length of a ring in words. */
export function ringLength(ring: i32): i32 {
  return chip!.records.rings[ring].words.length;
}

/** Capacity of a ring in records, less one. */
export function ringMask(ring: i32): i32 {
  return chip!.records.rings[ring].mask;
}

/** Number of records written to a ring. */
export function ringEnd(ring: i32): i32 {
  return chip!.records.rings[ring].end;
}

/** Lets the chip read the records of a ring before `end`. */
export function publish(ring: i32, end: i32): void {
  chip!.records.rings[ring].end = end;
}

/** Makes room for words of attribute arrays and returns their address. */
export function reserveArrays(count: i32): usize {
  chip!.records.reserveArrays(count);
  return changetype<usize>(chip!.records.arrays);
}

/** Length of the attribute arrays in words. */
export function arraysLength(): i32 {
  return chip!.records.arrays.length;
}

/** Address of the counts of the last run. */
export function countsPtr(): usize {
  return changetype<usize>(chip!.counts);
}

/** Address of the cycles by module and state. */
export function stateCyclesPtr(): usize {
  return changetype<usize>(chip!.units.schedule.cycles);
}

/** Address of the cycles by module and word of its state. */
export function waitCyclesPtr(): usize {
  return changetype<usize>(chip!.units.schedule.waits);
}

/** Number of intervals of activity. */
export function intervalCount(): i32 {
  return chip!.clock.activity.count;
}

/** Address of the last cycle of each interval. */
export function intervalEndsPtr(): usize {
  return changetype<usize>(chip!.clock.activity.ends);
}

/** Address of the cycles by module and state up to the end of each interval. */
export function intervalSumsPtr(): usize {
  return changetype<usize>(chip!.clock.activity.sums);
}

/** Number of modules. */
export function moduleCount(): i32 {
  return chip!.units.modules.length;
}

/** Name of a module. */
export function moduleName(module: i32): string {
  return chip!.units.modules[module].name;
}
