/** Options for the technologies whose energies a report has. */
import {
  DEFAULT_ENERGY_OPTIONS,
  type EnergyOptions,
  LINK_CLASS_NAMES,
  MEMORY_TECHNOLOGY_NAMES,
} from '@tessera/energy';
import { wordOption } from '../terminal/command-options.ts';

/** Options for `parseOptions`. */
export const ENERGY_OPTIONS = {
  'energy-memory': { type: 'string' },
  'energy-link-class': { type: 'string' },
  'energy-package-link-class': { type: 'string' },
} as const;

/** Values of {@link ENERGY_OPTIONS} that `parseOptions` returns. */
export type EnergyOptionValues = {
  readonly [Name in keyof typeof ENERGY_OPTIONS]?: string | undefined;
};

/** Reads the technologies. @throws {RenderError} REQUEST_INVALID, naming the option. */
export function readEnergyOptions(values: EnergyOptionValues): EnergyOptions {
  const { memory, linkClass, packageLinkClass } = DEFAULT_ENERGY_OPTIONS;
  const word = <const Word extends string>(
    option: keyof EnergyOptionValues,
    words: readonly Word[],
    preset: Word,
  ) => wordOption(option, values[option] ?? preset, words);
  return {
    memory: word('energy-memory', MEMORY_TECHNOLOGY_NAMES, memory),
    linkClass: word('energy-link-class', LINK_CLASS_NAMES, linkClass),
    packageLinkClass: word('energy-package-link-class', LINK_CLASS_NAMES, packageLinkClass),
  };
}
