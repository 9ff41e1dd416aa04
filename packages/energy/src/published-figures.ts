/**
 * Published figures of energy, power and area. docs/energy.md shows this table, and a test compares
 * them. Nothing else in this package is a measurement.
 */

/** A published figure. */
export interface PublishedFigure {
  readonly value: number;
  readonly unit: string;
  /** Process of the circuit, in nanometers; null if it does not matter or was not given. */
  readonly nodeNm: number | null;
  readonly source: string;
  /**
   * Text in which the figure was read: the source itself, a full copy of it, or another text that
   * repeats the figure.
   */
  readonly readIn: 'source' | 'copy' | 'retelling';
  readonly confidence: 'high' | 'medium' | 'low';
}

const HOROWITZ = {
  nodeNm: 45,
  source: 'Horowitz, ISSCC 2014',
  readIn: 'retelling',
  confidence: 'high',
} as const;
const GPU_JOULE = {
  unit: 'pJ/bit',
  nodeNm: 28,
  source: 'GPUJoule (Arunkumar et al., HPCA 2019), board power of a Tesla K40',
  readIn: 'retelling',
  confidence: 'medium',
} as const;
const JOUPPI = {
  nodeNm: 7,
  source: 'Jouppi et al., ISCA 2021, table 2',
  readIn: 'retelling',
  confidence: 'high',
} as const;
const MCM_GPU = {
  unit: 'pJ/bit',
  nodeNm: null,
  source: 'MCM-GPU (Arunkumar et al., ISCA 2017), table 2',
  readIn: 'copy',
  confidence: 'high',
} as const;
const MICRON = {
  unit: 'pJ/bit',
  nodeNm: null,
  source: 'Micron, Ultra-Bandwidth Solutions, average of the device',
  readIn: 'source',
  confidence: 'high',
} as const;
const HBM2_PARTS = {
  nodeNm: null,
  source: "O'Connor et al., MICRO 2017",
  readIn: 'retelling',
  confidence: 'high',
} as const;
const LPDDR = {
  unit: 'pJ/bit',
  nodeNm: null,
  source: 'derivation of a third party, whole system',
  readIn: 'retelling',
  confidence: 'low',
} as const;
const GDDR6_CURRENT = {
  unit: 'mA',
  nodeNm: null,
  source: 'DRAMsim3, GDDR6_8Gb_x16.ini',
  readIn: 'source',
  confidence: 'medium',
} as const;
const HBM2_CURRENT = { ...GDDR6_CURRENT, source: 'DRAMsim3, HBM2_8Gb_x128.ini' } as const;
const GDDR6_TIME = {
  unit: 'ns',
  nodeNm: null,
  source: 'Ramulator 2, gddr6.py, tRAS and tRC',
  readIn: 'source',
  confidence: 'high',
} as const;
const HBM2_TIME = { ...GDDR6_TIME, source: 'Ramulator 2, hbm2.py, tRAS and tRC' } as const;
const UCIE = {
  unit: 'pJ/bit',
  nodeNm: null,
  source: 'UCIe 1.0 (Das Sharma, Hot Interconnects 2025)',
  readIn: 'retelling',
  confidence: 'high',
} as const;
const LEAKAGE = {
  nodeNm: 7,
  source: 'assumption of an open physical model (kiln-phys)',
  readIn: 'retelling',
  confidence: 'low',
} as const;

/** Figures by name. */
export const PUBLISHED_FIGURES = {
  integerAdd: { value: 0.1, unit: 'pJ, 32 bits', ...HOROWITZ },
  integerMultiply: { value: 3.1, unit: 'pJ, 32 bits', ...HOROWITZ },
  halfAdd: { value: 0.4, unit: 'pJ, 16 bits', ...HOROWITZ },
  halfMultiply: { value: 1.1, unit: 'pJ, 16 bits', ...HOROWITZ },
  floatAdd: { value: 0.9, unit: 'pJ, 32 bits', ...HOROWITZ },
  floatMultiply: { value: 3.7, unit: 'pJ, 32 bits', ...HOROWITZ },
  floatMultiply7nm: { value: 1.31, unit: 'pJ, 32 bits', ...JOUPPI },
  sramRead8KiB: { value: 10, unit: 'pJ, 64 bits', ...HOROWITZ },
  sramRead32KiB: { value: 20, unit: 'pJ, 64 bits', ...HOROWITZ },
  sramRead1MiB: { value: 100, unit: 'pJ, 64 bits', ...HOROWITZ },
  firstLevelPath: { value: 5.85, ...GPU_JOULE },
  secondLevelPath: { value: 15.48, ...GPU_JOULE },
  logic16To7nm: {
    value: 0.4,
    unit: 'energy ÷ energy',
    nodeNm: null,
    source: 'TSMC, N7 against N16 at the same speed',
    readIn: 'retelling',
    confidence: 'medium',
  },
  onChipTransport: { value: 0.08, ...MCM_GPU },
  packageLink: { value: 0.5, ...MCM_GPU },
  boardLink: { value: 10, ...MCM_GPU },
  systemLink: { value: 250, ...MCM_GPU },
  ucieStandard: { value: 0.5, ...UCIE },
  ucieStandardFast: { value: 0.6, ...UCIE },
  ucieAdvanced: { value: 0.25, ...UCIE },
  ucieAdvancedFast: { value: 0.3, ...UCIE },
  bunchOfWires: {
    value: 0.2,
    unit: 'pJ/bit',
    nodeNm: null,
    source: 'BoW (Ardalan et al., IEEE Micro 2021), upper bound of one study',
    readIn: 'source',
    confidence: 'medium',
  },
  groundReferenced: {
    value: 0.54,
    unit: 'pJ/bit',
    nodeNm: 28,
    source: 'link of MCM-GPU (Arunkumar et al., ISCA 2017)',
    readIn: 'copy',
    confidence: 'high',
  },
  nvlinkC2c: {
    value: 1.3,
    unit: 'pJ/bit',
    nodeNm: null,
    source: 'NVIDIA, NVLink-C2C',
    readIn: 'retelling',
    confidence: 'medium',
  },
  gddr6AccessLow: { value: 5.5, unit: 'pJ/bit', ...JOUPPI },
  gddr6AccessHigh: { value: 7.5, unit: 'pJ/bit', ...JOUPPI },
  gddr6Device: { value: 7.5, ...MICRON },
  hbm2eDevice: { value: 6, ...MICRON },
  hbm2Access: { value: 3.92, unit: 'pJ/bit', ...HBM2_PARTS },
  hbm2Activation: { value: 1.21, unit: 'pJ/bit', ...HBM2_PARTS },
  hbm2ActivationOfRow: { value: 909, unit: 'pJ, row of 1 KiB', ...HBM2_PARTS },
  hbm2DataPath: { value: 2.24, unit: 'pJ/bit', ...HBM2_PARTS },
  hbm2Interface: { value: 0.3, unit: 'pJ/bit', ...HBM2_PARTS },
  lpddr5Access: { value: 9, ...LPDDR },
  lpddr5xAccess: { value: 7.5, ...LPDDR },
  gddr6Idd0: { value: 71, ...GDDR6_CURRENT },
  gddr6Idd2n: { value: 60, ...GDDR6_CURRENT },
  gddr6Idd3n: { value: 61, ...GDDR6_CURRENT },
  gddr6Idd5ab: { value: 286, ...GDDR6_CURRENT },
  gddr6Voltage: { ...GDDR6_CURRENT, value: 1.35, unit: 'V' },
  hbm2Idd0: { value: 65, ...HBM2_CURRENT },
  hbm2Idd2n: { value: 40, ...HBM2_CURRENT },
  hbm2Idd3n: { value: 55, ...HBM2_CURRENT },
  hbm2Idd5ab: { value: 250, ...HBM2_CURRENT },
  hbm2Voltage: { ...HBM2_CURRENT, value: 1.2, unit: 'V' },
  gddr6RowActive: { value: 30.2, ...GDDR6_TIME },
  gddr6RowCycle: { value: 45, ...GDDR6_TIME },
  hbm2RowActive: { value: 34, ...HBM2_TIME },
  hbm2RowCycle: { value: 48, ...HBM2_TIME },
  logicLeakage: { value: 0.04, unit: 'W/mm² at 85 °C', ...LEAKAGE },
  sramLeakage: { value: 1, unit: 'mW/Mbit at 85 °C', ...LEAKAGE },
  leakageDoubling: { value: 35, unit: 'K', ...LEAKAGE },
  steamDeckGpu: {
    value: 10,
    unit: 'W, lower bound if the GPU limits the frame; 16 W for the whole processor',
    nodeNm: 7,
    source: 'Lam, Chips and Cheese, article on the Steam Deck',
    readIn: 'copy',
    confidence: 'high',
  },
} as const satisfies Record<string, PublishedFigure>;

/** Returns the value of a published figure. */
export function figureOf(name: keyof typeof PUBLISHED_FIGURES): number {
  return PUBLISHED_FIGURES[name].value;
}
