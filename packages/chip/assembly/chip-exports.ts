/** AssemblyScript: the door of the simulated chip. One chip an instance of the module; see chip-engine.ts. */
import { Chip } from '../src/chip.ts';
import { TimingSpec } from '../src/records/timing-spec.generated.ts';
import { RunControl } from '../src/sim/run-control.ts';
import { VertexTraceSource } from '../src/sim/vertex-trace-source.ts';

/** Of the host, under the name of this file. */
declare function formVertexTrace(draw: i32, vertices: usize, count: i32): i32;

/** Of the host: whether the run is to stop. */
declare function isRunStopped(): bool;

class HostControl extends RunControl {
  isStopped(): bool {
    return isRunStopped();
  }
}

class HostTraces extends VertexTraceSource {
  form(draw: i32, vertices: Int32Array, count: i32): i32 {
    return formVertexTrace(draw, vertices.dataStart, count);
  }
}

const words = new Int32Array(128);
let chip: Chip | null = null;

/** Where the host puts the words of the specification, then those of each run's plan. */
export function wordsPtr(): usize {
  return words.dataStart;
}

export function create(maxUnitSpans: i32, isNaive: bool): void {
  const spec = new TimingSpec();
  spec.load(words);
  chip = new Chip(spec, new HostTraces(), new HostControl(), maxUnitSpans, isNaive);
}

export function begin(): void {
  chip!.plan.load(words);
  chip!.begin();
}

export function advance(): void {
  chip!.advance();
}

export function finish(outputBytes: f64, streamBytes: f64): void {
  chip!.finish(outputBytes, streamBytes);
}

export function cycle(): i32 {
  return chip!.clock.cycle;
}

export function streamEnd(): i32 {
  return chip!.streamEnd;
}

export function reserve(ring: i32, count: i32): usize {
  chip!.records.rings[ring].reserve(count);
  return chip!.records.rings[ring].words.dataStart;
}

export function ringLength(ring: i32): i32 {
  return chip!.records.rings[ring].words.length;
}

export function ringMask(ring: i32): i32 {
  return chip!.records.rings[ring].mask;
}

export function ringEnd(ring: i32): i32 {
  return chip!.records.rings[ring].end;
}

export function publish(ring: i32, end: i32): void {
  chip!.records.rings[ring].end = end;
}

export function reserveArrays(count: i32): usize {
  chip!.records.reserveArrays(count);
  return chip!.records.arrays.dataStart;
}

export function arraysLength(): i32 {
  return chip!.records.arrays.length;
}

export function countsPtr(): usize {
  return chip!.counts.dataStart;
}

export function stateCyclesPtr(): usize {
  return chip!.units.schedule.cycles.dataStart;
}

export function stretchCount(): i32 {
  return chip!.clock.activity.count;
}

export function stretchEndsPtr(): usize {
  return chip!.clock.activity.ends.dataStart;
}

export function stretchSumsPtr(): usize {
  return chip!.clock.activity.sums.dataStart;
}

export function moduleCount(): i32 {
  return chip!.units.modules.length;
}

export function moduleName(module: i32): string {
  return chip!.units.modules[module].name;
}
