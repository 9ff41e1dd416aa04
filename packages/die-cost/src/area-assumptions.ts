/** Assumptions about areas. Their ends are published figures, or follow from published dies. */
import { chipletPreset } from '@tessera/chiplet-spec';
import { arithmeticOf, totalArithmetic } from './arithmetic.ts';
import type { Assumptions } from './assumption.ts';
import { memoryBitsOf, totalBits } from './memories.ts';
import { DENSITY_SOURCE, type NodeName, PROCESS_NODES } from './process-nodes.ts';
import {
  COMPUTE_UNITS_OF_PRESET,
  LAST_LEVEL_MM2_PER_MIB,
  LAST_LEVEL_SOURCE,
  MEMORY_DIE,
  PUBLISHED_DIES,
  partsOfRdna1,
  partsOfRdna2,
  pinOfMemoryDie,
  pinOfRdna1,
} from './published-dies.ts';

/** Name of an assumption about areas. */
export type AreaAssumption =
  | 'arrayEfficiency'
  | 'logicPerArithmetic'
  | 'logicScale'
  | 'memoryMm2PerPin'
  | 'overheadMm2PerDie'
  | 'linkGbytesPerSecondPerMm2';

/** Kind of wiring between dies. */
export type LinkKind = 'standard' | 'advanced';

const BITS_PER_MIB = 2 ** 23;
const UM2_PER_MM2 = 1e6;
/** Macro of static memory of N3E: 31.8 Mbit in a mm² with cells of 0.021 µm². */
const N3E_MACRO = { bitsPerMm2: 31.8e6, bitCellUm2: 0.021 };

/** Densities of N5: Apple M1 (High Yield), and the one that CATCH uses for logic. */
const APPLE_M1_MILLION_TRANSISTORS_PER_MM2 = 133;
const CATCH_N5_MILLION_TRANSISTORS_PER_MM2 = 117.3;

/** Cells of UCIe, and bandwidth in an area, both directions counted. */
const UCIE_CELL = {
  standard: { gbitsPerSecond: 1024, mm2: 0.754 },
  advanced: { gbitsPerSecond: 4096, mm2: 0.406 },
} as const;
const UCIE_TABLE_GBYTES_PER_SECOND_PER_MM2 = { standard: 125, advanced: 1350 } as const;

/** Returns the share of an array's area that is cells, in the last-level cache of Navi 22. */
function efficiencyOfLastLevel(): number {
  const cellsMm2 = (BITS_PER_MIB * PROCESS_NODES.N7.bitCellUm2) / UM2_PER_MM2;
  return cellsMm2 / LAST_LEVEL_MM2_PER_MIB;
}

/**
 * Returns the area at N7 of the logic that belongs to a mm² of arithmetic at 45 nm, from the area
 * of a compute unit. Whatever grows with compute units is in that area: shader cores, texture
 * units, interpolation, rasterizers and output mergers.
 *
 * @param efficiency Share of an array's area that is cells.
 */
export function logicPerArithmetic(mm2PerComputeUnit: number, efficiency: number): number {
  const preset = chipletPreset('rdna2-like');
  const { secondLevel, ...bits } = memoryBitsOf(preset);
  const memoryMm2 =
    (totalBits({ ...bits, secondLevel: 0 }) * PROCESS_NODES.N7.bitCellUm2) /
    UM2_PER_MM2 /
    efficiency;
  const mm2 = COMPUTE_UNITS_OF_PRESET * mm2PerComputeUnit - memoryMm2;
  return mm2 / totalArithmetic(arithmeticOf(preset));
}

/** Areas of logic at each node, relative to N7. */
function logicScaleOf(node: NodeName) {
  const { N7 } = PROCESS_NODES;
  const { navi21 } = PUBLISHED_DIES;
  const { peakMillionTransistorsPerMm2: peak, bitCellUm2 } = PROCESS_NODES[node];
  const byPeak = N7.peakMillionTransistorsPerMm2 / peak;
  if (node === 'N7') return { low: 1, typical: 1, high: 1, source: 'the node of the dies' };
  if (node === 'N5') {
    return {
      low: navi21.millionTransistors / navi21.mm2 / APPLE_M1_MILLION_TRANSISTORS_PER_MM2,
      typical: byPeak,
      high: N7.peakMillionTransistorsPerMm2 / CATCH_N5_MILLION_TRANSISTORS_PER_MM2,
      source: `peak density (${DENSITY_SOURCE}); low: transistors of Navi 21 and Apple M1 in a mm² (TechPowerUp, High Yield); high: density of N5 in CATCH (nanocad-lab/CATCH)`,
    };
  }
  const byCell = bitCellUm2 / N7.bitCellUm2;
  return {
    low: Math.min(byCell, byPeak),
    typical: Math.sqrt(byCell * byPeak),
    high: Math.max(byCell, byPeak),
    source: `between the ratio of memory cells and that of peak density (${DENSITY_SOURCE})`,
  };
}

/**
 * Returns the assumptions about areas of dies.
 *
 * @param link Wiring between dies. It depends on the package.
 */
export function areaAssumptions(node: NodeName, link: LinkKind): Assumptions<AreaAssumption> {
  const loose = efficiencyOfLastLevel();
  const tight = (N3E_MACRO.bitsPerMm2 * N3E_MACRO.bitCellUm2) / UM2_PER_MM2;
  const efficiency = Math.sqrt(loose * tight);
  const rdna1 = partsOfRdna1();
  const rdna2 = partsOfRdna2();
  const logic = [rdna1, rdna2].map(({ mm2PerComputeUnit }) =>
    logicPerArithmetic(mm2PerComputeUnit, efficiency),
  );
  const pin = pinOfMemoryDie();
  const cell = UCIE_CELL[link].gbitsPerSecond / 8 / UCIE_CELL[link].mm2;
  const table = UCIE_TABLE_GBYTES_PER_SECOND_PER_MM2[link];
  const [less, more] = [Math.min(cell, table), Math.max(cell, table)];
  return {
    arrayEfficiency: {
      ...{ low: loose, typical: efficiency, high: tight, unit: 'ratio' },
      confidence: 'medium',
      meaning: 'share of the area of a memory that is bit cells',
      source: `low: ${LAST_LEVEL_SOURCE}; high: macro of N3E with 31.8 Mbit in a mm² (${DENSITY_SOURCE}); typical: geometric mean`,
    },
    logicPerArithmetic: {
      low: Math.min(...logic),
      typical: (logic[0]! + logic[1]!) / 2,
      high: Math.max(...logic),
      unit: 'ratio',
      confidence: 'medium',
      meaning: 'area of logic at N7 ÷ area of its adders and multipliers at 45 nm',
      source:
        'derived from the dies of RDNA 1 and RDNA 2 (published-dies.ts) and the areas of Horowitz, ISSCC 2014; typical: mean',
    },
    logicScale: {
      ...logicScaleOf(node),
      unit: 'ratio',
      confidence: 'medium',
      meaning: 'area of logic at the node ÷ area at N7',
    },
    memoryMm2PerPin: {
      low: pinOfRdna1(),
      typical: pin,
      high: rdna2.mm2PerPin,
      unit: 'mm²',
      confidence: 'medium',
      meaning: 'area of the memory interface for a pin of GDDR6, at any node',
      source: `low: Navi 10 and Navi 14 with the compute unit of RDNA 2; typical: memory die of Navi 31 without its cache (${MEMORY_DIE.source}); high: dies of RDNA 2`,
    },
    overheadMm2PerDie: {
      low: 1,
      typical: MEMORY_DIE.busPins * (pin - pinOfRdna1()),
      high: rdna2.mm2PerDie,
      unit: 'mm²',
      confidence: 'low',
      meaning: 'area of a die that grows with none of its units, at N7',
      source:
        'low: chosen, test and clocks alone; typical: memory die of Navi 31 without its cache and the smallest pins; high: dies of RDNA 2, with host interface, display and media',
    },
    linkGbytesPerSecondPerMm2: {
      low: less / 2,
      typical: less,
      high: more,
      unit: 'GB/s in a mm²',
      confidence: 'medium',
      meaning: 'bandwidth of the interface between dies in its area, both directions',
      source: `UCIe 1.0, ${link} package: highest bandwidth in an area (Das Sharma, Hot Interconnects 2025) and cell in CATCH (nanocad-lab/CATCH, io_definitions.xml), the less and the more; low: chosen, links at half of their rate`,
    },
  };
}
