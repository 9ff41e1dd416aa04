/**
 * Cost of the design, which is paid once, after Feng and Ma, Chiplet Actuary, DAC 2022
 * (Yinxiao-Feng/DAC2022, ChipletHL/chip.py, module.py, package.py and spec/parameter.ini). Packages
 * with an interposer differ from that program: half of the 15 million dollars of fan-out does not
 * grow with its area, and their substrate costs as much as that of one die.
 */
import { PACKAGINGS, type PackagingName, substrateFactor, substrateMm2 } from './packaging.ts';
import { type NodeName, PROCESS_NODES } from './process-nodes.ts';

const REFERENCE_MM2 = 300;
/** Shares of a chip's design at 300 mm² that grow with its modules, and with its area. */
const MODULE_SHARE = 0.5;
const CHIP_SHARE = 0.3;
const FIXED_SHARE = 1 - MODULE_SHARE - CHIP_SHARE;
/** Area of a module that costs as much as the interface between dies. */
const LINK_MODULE_MM2 = 20;
const SUBSTRATE = { usd: 0.3e6, usdPerMm2: 3000 } as const;
/** Design of carriers at 300 mm²: silicon is 1.2 × a chip of 55 nm without modules. */
const CARRIERS = {
  'fan-out': { fixedUsd: 7.5e6, usdPerMm2: 7.5e6 / REFERENCE_MM2 },
  interposer: {
    fixedUsd: 1.2 * FIXED_SHARE * 28e6,
    usdPerMm2: (1.2 * CHIP_SHARE * 28e6) / REFERENCE_MM2,
  },
} as const;

/**
 * Returns the cost of a chip's design and first masks in US dollars.
 *
 * @param linkMm2 Area of the interface between dies, which is part of `dieMm2`; 0 for none.
 */
export function chipDesignUsd(node: NodeName, dieMm2: number, linkMm2: number): number {
  const { designUsdAt300Mm2 } = PROCESS_NODES[node];
  const moduleMm2 = dieMm2 - linkMm2 + (linkMm2 > 0 ? LINK_MODULE_MM2 : 0);
  const grown = (MODULE_SHARE * moduleMm2 + CHIP_SHARE * dieMm2) / REFERENCE_MM2;
  return designUsdAt300Mm2 * (FIXED_SHARE + grown);
}

/** Returns the cost of a package's design in US dollars. */
export function packageDesignUsd(name: PackagingName, count: number, dieMm2: number): number {
  const mm2 = substrateMm2(name, count, dieMm2);
  const substrate = SUBSTRATE.usd + mm2 * SUBSTRATE.usdPerMm2 * substrateFactor(name, count, mm2);
  if (name === 'organic') return substrate;
  const { fixedUsd, usdPerMm2 } = CARRIERS[name];
  return substrate + fixedUsd + count * dieMm2 * PACKAGINGS[name].interposer.areaRatio * usdPerMm2;
}
