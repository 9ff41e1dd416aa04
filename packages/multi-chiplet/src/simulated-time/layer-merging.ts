/**
 * Composition of layers in simulated time. Every bin of a pass has a chiplet that owns it.
 * Chiplets send what they drew in a bin to its owner, whose copy engine composes it with the rest
 * in the order of arrival, on which the result does not depend. Composed bins go to chiplet 0.
 */
import type { ChipletId, CoarseBinId, SpecSummary } from '@tessera/frame';
import type { TransferLabel } from '../interconnect/crosslink-model.ts';
import type { CopyEngines } from './copy-engines.ts';
import type { EventQueue } from './event-queue.ts';
import type { FrameLink } from './frame-link.ts';
import { ownerOfBin } from './organization.ts';
import type { PassState } from './simulation-state.ts';

/** Bytes of the message that lists the bins in which a chiplet drew, besides a bit for each bin. */
const HEADER_BYTES = 16;
const SAMPLES_PER_QUAD = 4;

/** Rates at which a chiplet composes samples. */
export interface CompositionRates {
  /** Samples that are tested in a cycle. */
  readonly samplesPerCycle: number;
  /** Bytes of memory that are read or written in a cycle. */
  readonly bytesPerCycle: number;
}

/** Returns the rates of a chiplet: those of its output merger and of its memory channels. */
export function compositionRatesOf({ parameters }: SpecSummary): CompositionRates {
  const { outputQuadsPerCycle, dramChannels, dramBytesPerCycle } = parameters;
  return {
    samplesPerCycle: SAMPLES_PER_QUAD * Number(outputQuadsPerCycle),
    bytesPerCycle: Number(dramChannels) * Number(dramBytesPerCycle),
  };
}

/** Options of {@link LayerMerging}. */
export interface LayerMergingOptions {
  readonly link: FrameLink;
  readonly events: EventQueue;
  readonly copyEngines: CopyEngines;
  readonly chipletCount: number;
  /** Rates of each chiplet; null without cycle timing, where composing takes no time. */
  readonly rates: CompositionRates | null;
  /** Called in the cycle in which a composed bin is where it is needed. */
  readonly onPlaced: (pass: PassState, binId: number) => void;
}

/** Composition of one pass in progress. */
interface Merge {
  /** Number of layers of each bin that are not composed. */
  readonly missing: number[];
  /** Whether a bin is composed of more than the layer of its owner. */
  readonly isComposed: boolean[];
  /** Whether all chiplets know which bins have layers. */
  isKnown: boolean;
  /** Bins of layers that wait for the pass before; null if none need to. */
  waiting: number[] | null;
}

/** Composes the layers of all passes. */
export class LayerMerging {
  readonly #options: LayerMergingOptions;
  readonly #merges = new Map<PassState, Merge>();

  constructor(options: LayerMergingOptions) {
    this.#options = options;
  }

  /** Returns the chiplet that composes a bin. */
  #ownerOf({ measurement }: PassState, binId: CoarseBinId): ChipletId {
    return ownerOfBin(binId, measurement.grid.columns, this.#options.chipletCount);
  }

  /** Begins a pass when it is taken. */
  begin(pass: PassState): void {
    const { bins, composition } = pass.measurement;
    const missing = composition!.bins.map(() => 0);
    const isComposed = composition!.bins.map(() => composition!.isContinuing);
    for (const { binId, layer } of bins) {
      missing[binId]!++;
      if (composition!.chipletIds[layer!] !== this.#ownerOf(pass, binId)) isComposed[binId] = true;
    }
    const waiting = composition!.isContinuing ? [] : null;
    this.#merges.set(pass, { missing, isComposed, isKnown: false, waiting });
  }

  /** Lets all chiplets tell the others in which bins they drew, when the last has found out. */
  announce(pass: PassState, cycle: number): void {
    const { link, events, chipletCount } = this.#options;
    const { bins, chipletIds } = pass.measurement.composition!;
    const label = labelOf(pass, 'streams', null);
    const bytes = HEADER_BYTES + Math.ceil(bins.length / 8);
    let arrivals = chipletIds.length * chipletCount;
    const arrive = (arrival: number) => {
      if (--arrivals > 0) return;
      const merge = this.#merges.get(pass)!;
      merge.isKnown = true;
      if (merge.waiting === null) this.#sendComplete(pass, merge.missing, arrival);
    };
    for (const from of chipletIds) {
      const listen = (_id: ChipletId, arrival: number) =>
        events.add(arrival, () => arrive(arrival));
      link.broadcast(label, bytes, cycle, listen, from);
    }
  }

  /** Composes what a chiplet drew in a bin. */
  add(pass: PassState, binIndex: number, from: ChipletId, cycle: number): void {
    const { link, events } = this.#options;
    const { binId, resultBytes } = pass.measurement.bins[binIndex]!;
    const ends = { from, to: this.#ownerOf(pass, binId) };
    const label = labelOf(pass, 'layers', binIndex);
    link.send(label, ends, resultBytes, cycle, (_id, arrival) =>
      events.add(arrival, () => {
        const { waiting } = this.#merges.get(pass)!;
        if (waiting === null) this.#compose(pass, binId, arrival);
        else waiting.push(binId);
      }),
    );
  }

  /** Lets layers be composed with what the pass before has drawn. */
  open(pass: PassState, cycle: number): void {
    const merge = this.#merges.get(pass)!;
    const waiting = merge.waiting!;
    merge.waiting = null;
    if (merge.isKnown) this.#sendComplete(pass, merge.missing, cycle);
    for (const binId of waiting) this.#compose(pass, binId, cycle);
  }

  #compose(pass: PassState, binId: number, cycle: number): void {
    const { copyEngines, events, rates } = this.#options;
    const merge = this.#merges.get(pass)!;
    const { samples, sampleBytes } = pass.measurement.composition!.bins[binId]!;
    let cycles = 0;
    if (merge.isComposed[binId]! && rates !== null) {
      const { samplesPerCycle, bytesPerCycle } = rates;
      // Two samples are read and one is written.
      const memoryCycles = (3 * samples * sampleBytes) / bytesPerCycle;
      cycles = Math.ceil(Math.max(samples / samplesPerCycle, memoryCycles));
    }
    const composed = copyEngines.compose(pass, cycles, cycle, this.#ownerOf(pass, binId));
    events.add(composed, () => {
      merge.missing[binId]!--;
      if (merge.missing[binId] === 0 && merge.isKnown) this.#send(pass, binId, composed);
    });
  }

  #sendComplete(pass: PassState, missing: readonly number[], cycle: number): void {
    for (const [binId, count] of missing.entries()) if (count === 0) this.#send(pass, binId, cycle);
  }

  /** Sends a composed bin to chiplet 0, unless its owner continues it. */
  #send(pass: PassState, binId: number, cycle: number): void {
    const { link, events, onPlaced } = this.#options;
    const { composition, group } = pass.measurement;
    if (group!.isContinued) {
      onPlaced(pass, binId);
      return;
    }
    const ends = { from: this.#ownerOf(pass, binId), to: 0 };
    const { resultBytes } = composition!.bins[binId]!;
    link.send(labelOf(pass, 'bins', null), ends, resultBytes, cycle, (_id, arrival) =>
      events.add(arrival, () => onPlaced(pass, binId)),
    );
  }
}

function labelOf(
  { frame, passIndex }: PassState,
  kind: TransferLabel['kind'],
  binIndex: number | null,
): TransferLabel {
  return { kind, frameIndex: frame.frameIndex, passIndex, binIndex };
}
