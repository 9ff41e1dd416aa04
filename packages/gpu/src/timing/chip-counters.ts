/** Names of what the simulated chip counts; see the table in frame/src/counters.ts. */

import { BUSY, STALLED, STARVED, STATE_COUNT } from '@tessera/chip';
import { CLIENT_LINES_WRITTEN, COUNT, LINE_BYTES, MEMORY_CLIENT } from '@tessera/chip/records';
import type { CounterName, Counters, TimedUnit } from '@tessera/frame';
import { MEMORY_CLIENTS } from './memory-clients.ts';

/** Where the value of a counter comes from: a place in an array, times `unit`. */
interface CounterSource {
  readonly name: CounterName;
  readonly place: number;
  readonly unit: number;
}

const COUNTERS: Readonly<Record<Exclude<keyof typeof COUNT, 'clientLinesRead'>, CounterName>> = {
  warpInstructions: 'shaderCore.warpInstructions',
  slotCyclesHeld: 'shaderCore.slotCyclesHeld',
  slotCyclesVertex: 'taskScheduler.slotCyclesVertex',
  slotCyclesFragment: 'taskScheduler.slotCyclesFragment',
  slotCyclesUnreleased: 'taskScheduler.slotCyclesUnreleased',
  slotCyclesIdle: 'taskScheduler.slotCyclesIdle',
  idsMovedToVertex: 'taskScheduler.idsMovedToVertex',
  idsMovedToFragment: 'taskScheduler.idsMovedToFragment',
  cyclesLocked: 'taskScheduler.cyclesLocked',
  cyclesVertexWaited: 'taskScheduler.cyclesVertexWaited',
  cyclesFragmentWaited: 'taskScheduler.cyclesFragmentWaited',
  textureRequests: 'textureUnit.requests',
  textureLineHits: 'textureUnit.lineHits',
  textureLineMisses: 'textureUnit.lineMisses',
  verticesMissed: 'vertexFetch.verticesMissed',
  vertexWarps: 'vertexFetch.warps',
  vertexLineHits: 'vertexFetch.lineHits',
  vertexLineMisses: 'vertexFetch.lineMisses',
  fragmentWarps: 'warpPacking.warps',
  blocksHierarchicalKilled: 'earlyDepth.blocksHierarchicalKilled',
  colorLineHits: 'colorCache.lineHits',
  colorLineMisses: 'colorCache.lineMisses',
  depthLineHits: 'depthCache.lineHits',
  depthLineMisses: 'depthCache.lineMisses',
  l2LineHits: 'l2Cache.lineHits',
  l2LineMisses: 'l2Cache.lineMisses',
  l2LinesMerged: 'l2Cache.linesMerged',
  l2LinesWritten: 'l2Cache.linesWritten',
  l2LinesWrittenBack: 'l2Cache.linesWrittenBack',
  burstsGranted: 'arbiter.burstsGranted',
  arbiterCyclesWaited: 'arbiter.cyclesWaited',
  arbiterLongestWait: 'arbiter.longestWait',
  linesServed: 'memory.bytesServed',
  dramLinesRead: 'memory.bytesRead',
  dramLinesWritten: 'memory.bytesWritten',
  dramRowHits: 'dram.rowHits',
  dramRowMisses: 'dram.rowMisses',
  dramRowConflicts: 'dram.rowConflicts',
  dramTurnarounds: 'dram.turnarounds',
  dramRefreshes: 'dram.refreshes',
  dramCyclesBusy: 'dram.channelCyclesBusy',
};

/** Counters that are counted in lines and given in bytes. */
const IN_LINES: readonly CounterName[] = [
  'memory.bytesServed',
  'memory.bytesRead',
  'memory.bytesWritten',
];

/** Of all modules of one kind and of the counts of a run. */
export class ChipCounters {
  readonly #ofCounts: readonly CounterSource[];
  readonly #ofStates: readonly CounterSource[];
  /** Every counter at 0: a run's counters are then made at once. */
  readonly #zeros: Readonly<Record<string, number>>;

  /** @param moduleNames By number; they end in a unit. */
  constructor(moduleNames: readonly string[]) {
    this.#ofCounts = [...sourcesOfCounts()];
    this.#ofStates = moduleNames.flatMap((name, module) => {
      const unit = unitOf(name);
      const first = module * STATE_COUNT;
      return [
        { name: `${unit}.cyclesBusy` as const, place: first + BUSY, unit: 1 },
        { name: `${unit}.cyclesStarved` as const, place: first + STARVED, unit: 1 },
        { name: `${unit}.cyclesStalled` as const, place: first + STALLED, unit: 1 },
      ];
    });
    const names = [...this.#ofStates, ...this.#ofCounts].map(({ name }) => [name, 0]);
    // V8 keeps what was filled by computed names as a dictionary; what JSON gives has a shape, and is copied as such.
    this.#zeros = JSON.parse(JSON.stringify(Object.fromEntries(names))) as Record<string, number>;
  }

  /** @param counts By COUNT. @param stateCycles See Schedule.cycles. */
  sum(counts: Float64Array, stateCycles: Int32Array): Counters {
    const sums: Record<string, number> = { ...this.#zeros };
    for (const { name, place } of this.#ofStates) sums[name]! += stateCycles[place]!;
    for (const { name, place, unit } of this.#ofCounts) sums[name]! += unit * counts[place]!;
    return sums as Counters; // the names are those of the table; a test compares
  }
}

function* sourcesOfCounts(): Generator<CounterSource> {
  for (const [count, name] of Object.entries(COUNTERS)) {
    const place = COUNT[count as keyof typeof COUNT]; // the names are the table's
    yield { name, place, unit: IN_LINES.includes(name) ? LINE_BYTES : 1 };
  }
  for (const [client, { read, write }] of Object.entries(MEMORY_CLIENTS)) {
    const number = MEMORY_CLIENT[client as keyof typeof MEMORY_CLIENT]; // the tables have the same names
    yield { name: read, place: COUNT.clientLinesRead + number, unit: LINE_BYTES };
    if (write === null) continue;
    yield { name: write, place: CLIENT_LINES_WRITTEN + number, unit: LINE_BYTES };
  }
}

/** `shading.shaderCore[3]` → `shaderCore`. */
function unitOf(name: string): TimedUnit {
  return name.replace(/^.*\./, '').replace(/\[.*$/, '') as TimedUnit; // names of modules end in a unit
}
