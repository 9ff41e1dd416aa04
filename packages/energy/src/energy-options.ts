/** Technologies whose energies a report uses. They change neither images nor cycles. */
import { RenderError } from '@tessera/frame';
import { LINK_CLASS_NAMES, type LinkClass } from './link-classes.ts';
import { MEMORY_TECHNOLOGY_NAMES, type MemoryTechnologyName } from './memory-technologies.ts';

/** Technologies by part. */
export interface EnergyOptions {
  /** Technology of local memory. */
  readonly memory: MemoryTechnologyName;
  /** Class of links between chiplets. */
  readonly linkClass: LinkClass;
  /** Class of links between packages. */
  readonly packageLinkClass: LinkClass;
}

/** Technologies without other options: those of the specification `default`, in one package. */
export const DEFAULT_ENERGY_OPTIONS: EnergyOptions = Object.freeze({
  memory: 'gddr6',
  linkClass: 'standard-package',
  packageLinkClass: 'board',
});

/**
 * Returns {@link DEFAULT_ENERGY_OPTIONS} with names applied. A name that is `undefined` keeps its
 * default.
 *
 * @throws {RenderError} REQUEST_INVALID, with the known names.
 */
export function defineEnergyOptions(
  names: { readonly [Part in keyof EnergyOptions]?: string | undefined } = {},
): EnergyOptions {
  const { memory, linkClass, packageLinkClass } = { ...DEFAULT_ENERGY_OPTIONS, ...names };
  return Object.freeze({
    memory: pick('memory', memory, MEMORY_TECHNOLOGY_NAMES, DEFAULT_ENERGY_OPTIONS.memory),
    linkClass: pick('link', linkClass, LINK_CLASS_NAMES, DEFAULT_ENERGY_OPTIONS.linkClass),
    packageLinkClass: pick(
      'package link',
      packageLinkClass,
      LINK_CLASS_NAMES,
      DEFAULT_ENERGY_OPTIONS.packageLinkClass,
    ),
  });
}

function pick<Name extends string>(
  part: string,
  name: string | undefined,
  known: readonly Name[],
  preset: Name,
): Name {
  if (name === undefined) return preset;
  const found = known.find((each) => each === name);
  if (found !== undefined) return found;
  const message = `energy ${part}: '${name}' is not one of ${known.join(', ')}`;
  throw new RenderError('REQUEST_INVALID', message);
}
