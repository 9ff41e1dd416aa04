/** Generates the unrolled loop over the modules of the chip. */
import type { ExportedNames } from './exported-names.ts';
import { UNITS_FILE } from './generate-units.ts';
import { ImportLines } from './import-lines.ts';
import { NAMED_UNITS, type NamedUnit } from './unit-names.ts';

/** Path of the generated file, relative to the sources of the package. */
export const LOOP_FILE = 'chip-loop.generated.ts';

/** Returns the body of the file, imports included. */
export function generateLoop(names: ExportedNames): string {
  const imports = new ImportLines(LOOP_FILE);
  const type = (name: string) => imports.type(name, names.fileOf(name));
  const fields = NAMED_UNITS.map(({ field, type: unit, isPerCore }) =>
    isPerCore
      ? `private readonly ${field}: readonly ${type(unit)}[];`
      : `private readonly ${field}: ${type(unit)};`,
  );
  const body = `/**
 * Clocks the modules of a chip. A call that may reach any class of module takes several times as long as a call of one
 * class, so the loop is written out.
 */
export class ChipLoop extends ${imports.value('ModuleLoop', names.fileOf('ModuleLoop'))} {
  ${fields.join('\n  ')}

  constructor(units: ${imports.type('ChipUnits', UNITS_FILE)}, isNaive: boolean) {
    super(units.schedule, units.modules, isNaive);
    ${NAMED_UNITS.map(({ field }) => `this.${field} = units.${field};`).join('\n    ')}
  }

  override clockDue(cycle: ${imports.type('i32', 'portable/number-types.ts')}): boolean {
    if (this.isNaive) return super.clockDue(cycle);
    const wakes = this.wakes;
    let ran = false;
    let n = 0;
    ${NAMED_UNITS.map((unit) => clockUnit(unit)).join('\n    ')}
    return ran;
  }
}
`;
  return `${imports}\n\n${body}`;
}

/**
 * Returns the statements that clock a module, or those of all cores; `n` is the number of the
 * module.
 */
function clockUnit({ field, isPerCore }: NamedUnit): string {
  const clock = (module: string) =>
    `if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), ${module}.clock(cycle), cycle);`;
  if (!isPerCore) return `${clock(`this.${field}`)}\n    n++;`;
  return `for (let i = 0; i < this.${field}.length; i++, n++) {
      ${clock(`this.${field}[i]!`)}
    }`;
}
