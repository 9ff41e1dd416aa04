/** Energy of a bit that crosses a link, by class of link, both ends included. */
import type { EnergyPj } from '@tessera/frame';
import { rangeOf } from './energy-range.ts';
import { figureOf } from './published-figures.ts';

/** Energies per bit and meanings by class. */
export const LINK_CLASSES = {
  'on-chip': {
    meaning: 'wires of one chiplet, such as from its units to its port',
    perBit: rangeOf(
      figureOf('onChipTransport'),
      figureOf('onChipTransport'),
      figureOf('onChipTransport'),
    ),
  },
  'standard-package': {
    meaning: 'organic substrate: UCIe for standard packages, links of MCM-GPU',
    perBit: rangeOf(
      figureOf('ucieStandard'),
      figureOf('groundReferenced'),
      figureOf('ucieStandardFast'),
    ),
  },
  'advanced-package': {
    meaning: 'interposer or bridge: UCIe for advanced packages, BoW',
    perBit: rangeOf(
      figureOf('bunchOfWires'),
      figureOf('ucieAdvanced'),
      figureOf('ucieAdvancedFast'),
    ),
  },
  board: {
    meaning: 'between packages: from NVLink-C2C to links over a board',
    perBit: rangeOf(figureOf('nvlinkC2c'), figureOf('boardLink'), figureOf('boardLink')),
  },
  system: {
    meaning: 'between boards',
    perBit: rangeOf(figureOf('systemLink'), figureOf('systemLink'), figureOf('systemLink')),
  },
} as const satisfies Record<string, { readonly meaning: string; readonly perBit: EnergyPj }>;

/** Name of a class of links. */
export type LinkClass = keyof typeof LINK_CLASSES;

/** Names of the classes of links. */
export const LINK_CLASS_NAMES = Object.keys(LINK_CLASSES) as readonly LinkClass[];

/**
 * Returns the class of a channel by its name in the report.
 *
 * @param linkClass Class of links between chiplets of a package.
 * @param packageLinkClass Class of links between packages.
 */
export function linkClassOf(
  channel: string,
  linkClass: LinkClass,
  packageLinkClass: LinkClass,
): LinkClass {
  const [from = '', to = ''] = channel.split('→');
  // Ports join the units of a chiplet with its router.
  if (from === 'network' || to === 'network') return 'on-chip';
  return from.startsWith('package ') && to.startsWith('package ') ? packageLinkClass : linkClass;
}
