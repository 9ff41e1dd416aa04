/**
 * Published areas of dies, and what their differences say about the parts of a GPU. No publication
 * gives the area of a compute unit or of a memory interface in figures, but dies of one generation
 * differ in the numbers of both.
 */

/** A die of a GPU. */
export interface PublishedDie {
  readonly name: string;
  readonly node: 'N7' | 'N6' | 'N5';
  readonly mm2: number;
  /** Transistors in millions, or `null` if they are published for several dies together. */
  readonly millionTransistors: number | null;
  readonly computeUnits: number;
  /** Pins of the data bus of GDDR6. */
  readonly busPins: number;
  /** Last-level cache, in MiB. */
  readonly lastLevelMiB: number;
  readonly source: string;
}

const SHOTS = 'die shots by F. Fritz, TechPowerUp';

/** Dies by name. */
export const PUBLISHED_DIES = {
  navi10: {
    ...{ name: 'Navi 10', node: 'N7', mm2: 250, computeUnits: 40, busPins: 256, lastLevelMiB: 0 },
    millionTransistors: 10_300,
    source: `${SHOTS}: 249 to 251 mm²`,
  },
  navi14: {
    ...{ name: 'Navi 14', node: 'N7', mm2: 156.9, computeUnits: 24, busPins: 128, lastLevelMiB: 0 },
    millionTransistors: 6400,
    source: SHOTS,
  },
  navi21: {
    ...{ name: 'Navi 21', node: 'N7', mm2: 519.8, computeUnits: 80, busPins: 256 },
    lastLevelMiB: 128,
    millionTransistors: 26_800,
    source: SHOTS,
  },
  navi22: {
    ...{ name: 'Navi 22', node: 'N7', mm2: 335.5, computeUnits: 40, busPins: 192 },
    lastLevelMiB: 96,
    millionTransistors: 17_200,
    source: `${SHOTS}: 335 to 336 mm²`,
  },
  navi23: {
    ...{ name: 'Navi 23', node: 'N7', mm2: 237, computeUnits: 32, busPins: 128, lastLevelMiB: 32 },
    millionTransistors: 11_060,
    source: 'figures of AMD, reported by TechPowerUp in June 2021',
  },
  navi33: {
    ...{ name: 'Navi 33', node: 'N6', mm2: 204, computeUnits: 32, busPins: 128, lastLevelMiB: 32 },
    millionTransistors: 13_300,
    source: 'figures of AMD, reported by the press in 2022 and 2023',
  },
  navi31: {
    ...{ name: 'Navi 31, graphics die', node: 'N5', mm2: 300, computeUnits: 96, busPins: 0 },
    lastLevelMiB: 0,
    millionTransistors: null,
    source: 'figures of AMD, reported by the press in 2022',
  },
} as const satisfies Record<string, PublishedDie>;

/** Compute units of the preset `rdna2-like`: one shader engine of Navi 21. */
export const COMPUTE_UNITS_OF_PRESET = 20;

/** Area of last-level cache at N7 with tags and control, in mm² per MiB. */
export const LAST_LEVEL_MM2_PER_MIB = 2.35 / 4;
/** Source of {@link LAST_LEVEL_MM2_PER_MIB}. */
export const LAST_LEVEL_SOURCE =
  'annotated die shot of Navi 22 (Fritz and Nemez): 4 MiB in 2.35 mm²';

/** Memory die of Navi 31: last-level cache, a bus of GDDR6 and the link to the graphics die. */
export const MEMORY_DIE = {
  mm2: 37.5,
  busPins: 64,
  lastLevelMiB: 16,
  source: 'Angstronomics 2022, 37 mm² in figures of AMD',
} as const;

/** Areas of the parts of a die at N7, in mm². */
export interface DieParts {
  readonly mm2PerComputeUnit: number;
  readonly mm2PerPin: number;
  /** Area that does not depend on compute units and pins. */
  readonly mm2PerDie: number;
}

/** Returns the area of a die without its last-level cache. */
function withoutCache({ mm2, lastLevelMiB }: { mm2: number; lastLevelMiB: number }): number {
  return mm2 - lastLevelMiB * LAST_LEVEL_MM2_PER_MIB;
}

/**
 * Returns the parts from three dies of RDNA 2, as the solution of three equations. Two of their
 * differences give compute units and pins, because a third unknown is in all dies.
 */
export function partsOfRdna2(): DieParts {
  const { navi21, navi22, navi23 } = PUBLISHED_DIES;
  const units1 = navi21.computeUnits - navi22.computeUnits;
  const pins1 = navi21.busPins - navi22.busPins;
  const area1 = withoutCache(navi21) - withoutCache(navi22);
  const units2 = navi22.computeUnits - navi23.computeUnits;
  const pins2 = navi22.busPins - navi23.busPins;
  const area2 = withoutCache(navi22) - withoutCache(navi23);
  const determinant = units1 * pins2 - units2 * pins1;
  const mm2PerComputeUnit = (area1 * pins2 - area2 * pins1) / determinant;
  const mm2PerPin = (units1 * area2 - units2 * area1) / determinant;
  const { computeUnits, busPins } = navi23;
  const mm2PerDie = withoutCache(navi23) - computeUnits * mm2PerComputeUnit - busPins * mm2PerPin;
  return { mm2PerComputeUnit, mm2PerPin, mm2PerDie };
}

/** Returns the area of a pin if the memory die has nothing but its cache and its bus. */
export function pinOfMemoryDie(): number {
  return withoutCache(MEMORY_DIE) / MEMORY_DIE.busPins;
}

/** Returns the area of a pin from two dies of RDNA 1, if a compute unit is that of RDNA 2. */
export function pinOfRdna1(): number {
  const { navi10, navi14 } = PUBLISHED_DIES;
  const units = navi10.computeUnits - navi14.computeUnits;
  const mm2 = navi10.mm2 - navi14.mm2 - units * partsOfRdna2().mm2PerComputeUnit;
  return mm2 / (navi10.busPins - navi14.busPins);
}

/** Returns the parts from two dies of RDNA 1, with the pin of the memory die of RDNA 3. */
export function partsOfRdna1(): DieParts {
  const { navi10, navi14 } = PUBLISHED_DIES;
  const mm2PerPin = pinOfMemoryDie();
  const pins = navi10.busPins - navi14.busPins;
  const mm2PerComputeUnit =
    (navi10.mm2 - navi14.mm2 - pins * mm2PerPin) / (navi10.computeUnits - navi14.computeUnits);
  const { mm2, computeUnits, busPins } = navi10;
  const mm2PerDie = mm2 - computeUnits * mm2PerComputeUnit - busPins * mm2PerPin;
  return { mm2PerComputeUnit, mm2PerPin, mm2PerDie };
}
