/** Energy of a rendered frame, from its counters and published figures. */
export { accountEnergy, dynamicByUnit, type EnergyInput } from './account-energy.ts';
export { countEvents, type EnergyEvent, EnergySpec, energyOfEvent } from './energy-event.ts';
export { energyOfReport } from './energy-of-report.ts';
export {
  DEFAULT_ENERGY_OPTIONS,
  defineEnergyOptions,
  type EnergyOptions,
} from './energy-options.ts';
export type { EnergyRun } from './event-sums.ts';
export { ENERGY_EVENTS } from './events.ts';
export { laneInstructionsOf } from './lane-instructions.ts';
export { LINK_CLASS_NAMES, LINK_CLASSES, type LinkClass } from './link-classes.ts';
export { MEMORY_TECHNOLOGIES, MEMORY_TECHNOLOGY_NAMES } from './memory-technologies.ts';
export { figureOf, PUBLISHED_FIGURES, type PublishedFigure } from './published-figures.ts';
