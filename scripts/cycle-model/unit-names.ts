/** Names of the chip's modules in generated code, derived from the table of units. */
import { UNITS } from '../../packages/chip/src/table/units.ts';

/** Row of the table of units with the names derived from it. */
export interface NamedUnit {
  /** Path in the chip, such as `raster.earlyDepth`. */
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  /** Field of ChipUnits; a plural if there is one module per core. */
  readonly field: string;
  /** Local variable with the number of the module, or of the first one. */
  readonly id: string;
  readonly type: string;
  readonly isPerCore: boolean;
  readonly madeBy: string | null;
  readonly parts: Readonly<Record<string, string>>;
}

/** Modules in the order of their numbers. */
export const NAMED_UNITS: readonly NamedUnit[] = Object.entries(UNITS).map(([path, row]) => {
  const name = path.replace(/^.*\./, '');
  const isPerCore = 'isPerCore' in row;
  return {
    path,
    name,
    field: isPerCore ? `${name}s` : name,
    id: `${name}Id`,
    type: row.type,
    isPerCore,
    madeBy: 'madeBy' in row ? row.madeBy : null,
    parts: 'parts' in row ? row.parts : {},
  };
});

/**
 * Returns the module of that name.
 *
 * @throws {Error} If the table has none.
 */
export function unitNamed(name: string): NamedUnit {
  const unit = NAMED_UNITS.find((each) => each.name === name);
  if (unit === undefined) throw new Error(`table of units: no unit ${name}`);
  return unit;
}

/**
 * Returns the expression for the number of a module, or of the first one; `coreCount` is a
 * variable.
 */
export function numberOf(unit: NamedUnit): string {
  const before = NAMED_UNITS.slice(0, NAMED_UNITS.indexOf(unit));
  return describeNumber(before);
}

/** Returns the expression for the total number of modules. */
export function unitCount(): string {
  return describeNumber(NAMED_UNITS);
}

function describeNumber(units: readonly NamedUnit[]): string {
  const perCore = units.filter(({ isPerCore }) => isPerCore).length;
  const single = units.length - perCore;
  return perCore === 0 ? `${single}` : `${single} + ${perCore} * coreCount`;
}
