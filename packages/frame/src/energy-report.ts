/** Energy of a frame, part of its report. All energies are whole picojoules. */
import type { ChipletId } from './chiplet.ts';
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { TimedUnit } from './counters.ts';

/**
 * Range of an energy in picojoules. `lowPj` and `highPj` follow from the lowest and the highest
 * published figures, `typicalPj` lies between them.
 */
export interface EnergyPj {
  readonly lowPj: number;
  readonly typicalPj: number;
  readonly highPj: number;
}

/** Range of a power in milliwatts. */
export interface PowerMw {
  readonly lowMw: number;
  readonly typicalMw: number;
  readonly highMw: number;
}

/** Energy of a part of the GPU during the frame, by kind. */
export interface EnergyByKind {
  /** Energy of events, proportional to their counts. */
  readonly dynamic: EnergyPj;
  /** Energy that circuits consume in every cycle of the frame, and the standby of memory chips. */
  readonly leakage: EnergyPj;
  /** Energy of the refreshes of memory chips. */
  readonly refresh: EnergyPj;
  /** Sum of the kinds. */
  readonly total: EnergyPj;
}

/** Energy of all instances of a unit on all chiplets; `dram` are the memory chips. */
export interface UnitEnergy extends EnergyByKind {
  readonly unit: TimedUnit;
}

/** Energy of a chiplet with its local memory. */
export interface ChipletEnergy extends EnergyByKind {
  readonly id: ChipletId;
}

/** Dynamic energy of the events that are counted by pass, without those of the link. */
export interface PassEnergy {
  readonly dynamic: EnergyPj;
}

/** Dynamic energy of the events that are counted by bin. */
export interface BinEnergy {
  readonly passIndex: number;
  readonly id: CoarseBinId;
  readonly dynamic: EnergyPj;
}

/** Energy of the bytes that cross a channel of the link. */
export interface ChannelEnergy {
  readonly channel: string;
  /** Class of the channel, which determines its energy per bit. */
  readonly linkClass: string;
  readonly dynamic: EnergyPj;
}

/**
 * Energy of a frame. Chiplets and link add up to the total, as units and link do. Passes and the
 * rest add up to the dynamic energy of the chiplets, as bins and the rest do.
 */
export interface EnergyReport {
  /** Technologies whose figures were used; docs/energy.md lists their sources. */
  readonly technology: {
    readonly nodeNm: number;
    readonly memory: string;
    readonly linkClass: string;
    readonly packageLinkClass: string;
  };
  /** Energy of all chiplets with their memories, and of the link. */
  readonly total: EnergyByKind;
  /** Total ÷ simulated time. */
  readonly averagePower: PowerMw;
  readonly units: readonly UnitEnergy[];
  readonly chiplets: readonly ChipletEnergy[];
  readonly passes: readonly PassEnergy[];
  /** Bins in the order of the report's `bins`. */
  readonly bins: readonly BinEnergy[];
  /** Dynamic energy of events that are counted by chiplet only. */
  readonly notByPass: EnergyPj;
  /** Dynamic energy of events that are counted by pass or chiplet only. */
  readonly notByBin: EnergyPj;
  readonly link: {
    readonly dynamic: EnergyPj;
    readonly channels: readonly ChannelEnergy[];
  };
}
