/** Runs and transfers of a simulated frame, indexed for questions about their order. */
import type { ChipletId, LinkTransferKind } from '@tessera/frame';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import { firstEndingAfter } from '../simulated-time/first-ending-after.ts';
import type {
  SimulatedBin,
  SimulatedFrames,
  SimulatedPart,
} from '../simulated-time/simulated-frames.ts';

/** Run of a chiplet: a part of a visibility phase, or a bin. */
export interface ChipletRun {
  readonly chipletId: ChipletId;
  readonly passIndex: number;
  /** Index of the bin; null for a visibility phase. */
  readonly binIndex: number | null;
  /** Part of the visibility phase; null for a bin. */
  readonly part: number | null;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Cycles in which it waited for segments of streamed visibility. */
  readonly waitedCycles: number;
}

/** Runs and transfers of the only frame of a simulation. */
export class FrameRuns {
  /** Runs by chiplet, in the order of their ends. */
  readonly byChiplet: readonly (readonly ChipletRun[])[];
  /** Runs of the visibility phase and of the bins, by pass. */
  readonly #byPass: {
    readonly phase: readonly ChipletRun[];
    readonly bins: readonly ChipletRun[];
  }[];
  readonly #transfers = new Map<string, Transfer[]>();
  /** Transfers by channel, in the order of their ends. */
  readonly #byChannel = new Map<string, Transfer[]>();
  readonly #pixels = new Map<number, Map<number, Transfer>>();

  constructor({ frames, transfers }: SimulatedFrames, chipletCount: number) {
    this.#byPass = frames[0]!.passes.map(({ visibilityParts, bins }, passIndex) => ({
      phase: visibilityParts.map((part) => phaseRun(passIndex, part)),
      bins: bins.map((bin, binIndex) => binRun(passIndex, binIndex, bin)),
    }));
    const runs = Array.from({ length: chipletCount }, (): ChipletRun[] => []);
    for (const { phase, bins } of this.#byPass) {
      for (const run of [...phase, ...bins]) runs[run.chipletId]!.push(run);
    }
    for (const own of runs) own.sort(byEnd);
    this.byChiplet = runs;
    for (const transfer of [...transfers].sort(byEnd)) {
      const { kind, passIndex, binIndex } = transfer;
      // The display reads after the frame.
      if (kind === 'scanout') continue;
      pushTo(this.#transfers, keyOf(kind, passIndex), transfer);
      for (const { channel } of transfer.channels) pushTo(this.#byChannel, channel, transfer);
      if (kind !== 'bins' || passIndex === null || binIndex === null) continue;
      const pixels = this.#pixels.get(passIndex) ?? new Map<number, Transfer>();
      this.#pixels.set(passIndex, pixels.set(binIndex, transfer));
    }
  }

  /** Returns the runs of the visibility phase of a pass. */
  phaseOf(passIndex: number): readonly ChipletRun[] {
    return this.#byPass[passIndex]!.phase;
  }

  /** Returns the runs of the bins of a pass, by `binIndex`. */
  binsOf(passIndex: number): readonly ChipletRun[] {
    return this.#byPass[passIndex]!.bins;
  }

  /** Returns the last run of a chiplet that ended up to a cycle. */
  lastRun(chipletId: ChipletId, cycle: number): ChipletRun | undefined {
    const runs = this.byChiplet[chipletId]!;
    return runs[lastUpTo(runs, cycle)];
  }

  /** Returns the transfer of the pixels of a bin. */
  pixelsOf(passIndex: number, binIndex: number): Transfer | undefined {
    return this.#pixels.get(passIndex)?.get(binIndex);
  }

  /** Lists the transfers of a kind for a pass, or for the frame, in the order of their ends. */
  transfersOf(kind: LinkTransferKind, passIndex: number | null): readonly Transfer[] {
    return this.#transfers.get(keyOf(kind, passIndex)) ?? [];
  }

  /** Lists those of them that a chiplet received. */
  receivedBy(
    chipletId: ChipletId,
    kind: LinkTransferKind,
    passIndex: number | null,
  ): readonly Transfer[] {
    return this.transfersOf(kind, passIndex).filter(
      ({ from, to }) => to === chipletId || (to === null && from !== chipletId),
    );
  }

  /**
   * Returns the transfer that a transfer followed on one of its channels: the last one that ended
   * while it waited or was under way.
   */
  before(transfer: Transfer): Transfer | undefined {
    let latest: Transfer | undefined;
    for (const { channel } of transfer.channels) {
      const own = this.#byChannel.get(channel)!;
      const other = own[lastUpTo(own, transfer.endCycle - 1)];
      if (other === undefined || other.endCycle <= transfer.requestCycle) continue;
      if (latest === undefined || other.endCycle > latest.endCycle) latest = other;
    }
    return latest;
  }
}

function phaseRun(
  passIndex: number,
  { chipletId, part, startCycle, endCycle }: SimulatedPart,
): ChipletRun {
  return { chipletId, passIndex, binIndex: null, part, startCycle, endCycle, waitedCycles: 0 };
}

function binRun(
  passIndex: number,
  binIndex: number,
  { chipletId, startCycle, endCycle, waitedCycles = 0 }: SimulatedBin,
): ChipletRun {
  return { chipletId, passIndex, binIndex, part: null, startCycle, endCycle, waitedCycles };
}

const byEnd = (a: { endCycle: number }, b: { endCycle: number }) => a.endCycle - b.endCycle;

function keyOf(kind: LinkTransferKind, passIndex: number | null): string {
  return `${kind} ${passIndex ?? ''}`;
}

function pushTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Returns the index of the last item that ended up to a cycle; −1 if there is none. */
export function lastUpTo(items: readonly { readonly endCycle: number }[], cycle: number): number {
  return firstEndingAfter(items.length, (index) => items[index]!.endCycle, cycle) - 1;
}
