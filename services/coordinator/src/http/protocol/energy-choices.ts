/** Technologies whose energies a report or a study has: schemas and query parameters. */
import {
  DEFAULT_ENERGY_OPTIONS,
  type EnergyOptions,
  LINK_CLASS_NAMES,
  MEMORY_TECHNOLOGY_NAMES,
} from '@tessera/energy';
import Type, { type Static } from 'typebox';

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

/** The same as parameters of queries for frames and sequences. */
export const ENERGY_QUERY_FIELDS = {
  energyMemory: ENERGY_CHOICES.memory,
  energyLinkClass: ENERGY_CHOICES.linkClass,
  energyPackageLinkClass: ENERGY_CHOICES.packageLinkClass,
};

const ENERGY_QUERY_SCHEMA = Type.Object(ENERGY_QUERY_FIELDS);

/**
 * Returns the technologies that a query asks for.
 *
 * @param before Those of parameters that the query leaves out; the defaults if missing.
 */
export function readEnergyQuery(
  query: Static<typeof ENERGY_QUERY_SCHEMA>,
  before: EnergyOptions = DEFAULT_ENERGY_OPTIONS,
): EnergyOptions {
  return {
    memory: query.energyMemory ?? before.memory,
    linkClass: query.energyLinkClass ?? before.linkClass,
    packageLinkClass: query.energyPackageLinkClass ?? before.packageLinkClass,
  };
}
