/** Assumptions about prices and yields. */
import type { Assumptions } from './assumption.ts';
import { PACKAGINGS, type PackagingName } from './packaging.ts';
import {
  DEFECT_SOURCE,
  type NodeName,
  PROCESS_NODES,
  WAFER_PRICE_SOURCE,
} from './process-nodes.ts';

/** Name of an assumption about prices and yields. */
export type PriceAssumption =
  | 'waferUsd'
  | 'defectsPerCm2'
  | 'defectClustering'
  | 'bondingYield'
  | 'attachYield'
  | 'packagePriceFactor';

/** Spread of the price of a wafer, because its two publications estimate the prices of one year. */
const WAFER_PRICE_SPREAD = 0.2;
/** Defects of 20 nm to 55 nm, and of 3 nm, in Chiplet Actuary. */
const DEFECTS_PER_CM2 = { mature: 0.07, young: 0.2 } as const;
/** Alignment of a die × its bumps in CATCH. */
const BEST_BONDING_YIELD = 0.999;
const SOURCE = 'Feng and Ma, Chiplet Actuary, DAC 2022 (Yinxiao-Feng/DAC2022, spec/parameter.ini)';

/** Returns the assumptions about prices and yields. */
export function priceAssumptions(
  node: NodeName,
  packaging: PackagingName,
): Assumptions<PriceAssumption> {
  const { waferUsd, defectsPerCm2 } = PROCESS_NODES[node];
  const { bondingYield } = PACKAGINGS[packaging];
  const attach = PACKAGINGS.organic.bondingYield;
  return {
    waferUsd: {
      low: waferUsd * (1 - WAFER_PRICE_SPREAD),
      typical: waferUsd,
      high: waferUsd * (1 + WAFER_PRICE_SPREAD),
      unit: 'US$',
      confidence: 'medium',
      meaning: 'price of a wafer of 300 mm',
      source: `${WAFER_PRICE_SOURCE}; CATCH (nanocad-lab/CATCH) is within 5 % at N7 and N5; spread: chosen, 20 %, because both are estimates`,
    },
    defectsPerCm2: {
      low: DEFECTS_PER_CM2.mature,
      typical: defectsPerCm2,
      high: DEFECTS_PER_CM2.young,
      unit: 'defects in a cm²',
      confidence: 'medium',
      meaning: 'density of fatal defects',
      source: `${DEFECT_SOURCE}; low: its nodes from 20 to 55 nm; high: its 3 nm, which it marks as inaccurate`,
    },
    defectClustering: {
      ...{ low: 2, typical: 3, high: 10, unit: 'α' },
      confidence: 'medium',
      meaning: 'clustering of defects in the negative binomial distribution',
      source: `low: CATCH (nanocad-lab/CATCH, layer_definitions.xml); high: ${SOURCE}; typical: usual value`,
    },
    bondingYield: {
      low: 1 - 2 * (1 - bondingYield),
      typical: bondingYield,
      high: BEST_BONDING_YIELD,
      unit: 'ratio',
      confidence: 'low',
      meaning: 'share of dies that are bonded without a fault',
      source: `${SOURCE}; high: alignment in CATCH (nanocad-lab/CATCH); low: chosen, twice the faults`,
    },
    attachYield: {
      low: 1 - 2 * (1 - attach),
      typical: attach,
      high: BEST_BONDING_YIELD,
      unit: 'ratio',
      confidence: 'low',
      meaning: 'share of single dies and interposers that are attached without a fault',
      source: 'as bondingYield of an organic substrate',
    },
    packagePriceFactor: {
      ...{ low: 0.5, typical: 1, high: 2, unit: 'ratio' },
      confidence: 'low',
      meaning: 'price of substrates and interposers ÷ those of the table in packaging.ts',
      source: `typical: ${SOURCE}; CATCH has 0.8 of its silicon interposer; low and high: chosen, because no second price of substrates is published`,
    },
  };
}
