/** Process nodes of TSMC: density, price of a wafer, defects, cost of a design. */

const ACTUARY = 'Feng and Ma, Chiplet Actuary, DAC 2022 (Yinxiao-Feng/DAC2022, spec/parameter.ini)';

/** Figures of a process node. */
export interface ProcessNode {
  /** Area of a static memory cell of six transistors. Source: {@link DENSITY_SOURCE}. */
  readonly bitCellUm2: number;
  /** Largest density of logic, in millions of transistors. Source: {@link DENSITY_SOURCE}. */
  readonly peakMillionTransistorsPerMm2: number;
  /** Price of a wafer of 300 mm. Source: {@link WAFER_PRICE_SOURCE}. */
  readonly waferUsd: number;
  /** Defects of a process in production. Source: {@link DEFECT_SOURCE}. */
  readonly defectsPerCm2: number;
  /** Cost of designing a chip of 300 mm², first masks included. Source: Chiplet Actuary. */
  readonly designUsdAt300Mm2: number;
}

/** Source of bit cells and densities. */
export const DENSITY_SOURCE = 'WikiChip, from papers of TSMC at IEDM';
/** Source of the prices of wafers. */
export const WAFER_PRICE_SOURCE = `Khan and Mann, CSET 2020, as in ${ACTUARY}`;
/** Source of the densities of defects. */
export const DEFECT_SOURCE = `${ACTUARY}; AnandTech 2020 has 0.10 to 0.11 for N5`;

/** Process nodes by name. */
export const PROCESS_NODES = {
  N16: {
    bitCellUm2: 0.074,
    peakMillionTransistorsPerMm2: 28.9,
    waferUsd: 3984,
    defectsPerCm2: 0.08,
    designUsdAt300Mm2: 106e6,
  },
  N7: {
    bitCellUm2: 0.027,
    peakMillionTransistorsPerMm2: 91.2,
    waferUsd: 9346,
    defectsPerCm2: 0.09,
    designUsdAt300Mm2: 298e6,
  },
  N5: {
    bitCellUm2: 0.021,
    peakMillionTransistorsPerMm2: 138.2,
    waferUsd: 16_988,
    defectsPerCm2: 0.11,
    designUsdAt300Mm2: 542e6,
  },
} as const satisfies Record<string, ProcessNode>;

/** Name of a process node. */
export type NodeName = keyof typeof PROCESS_NODES;

/** Names of the process nodes. */
export const NODE_NAMES = Object.keys(PROCESS_NODES) as NodeName[];
