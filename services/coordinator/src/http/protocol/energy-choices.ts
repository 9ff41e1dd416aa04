/** Schemas of the technologies whose energies a report or a study has. */
import { DEFAULT_ENERGY_OPTIONS, LINK_CLASS_NAMES, MEMORY_TECHNOLOGY_NAMES } from '@tessera/energy';
import Type from 'typebox';

const { memory, linkClass, packageLinkClass } = DEFAULT_ENERGY_OPTIONS;

/** Choices by field of `EnergyOptions`. A missing one has the default. */
export const ENERGY_CHOICES = {
  memory: Type.Optional(
    Type.Enum([...MEMORY_TECHNOLOGY_NAMES], {
      description: `Technology of local memory, for the energy alone; ${memory} by default`,
    }),
  ),
  linkClass: Type.Optional(
    Type.Enum([...LINK_CLASS_NAMES], {
      description: `Class of links between chiplets, for the energy alone; ${linkClass} by default`,
    }),
  ),
  packageLinkClass: Type.Optional(
    Type.Enum([...LINK_CLASS_NAMES], {
      description: `Class of links between packages, for the energy alone; ${packageLinkClass} by default`,
    }),
  ),
};
