/**
 * Generates the rings of records: their numbers, the words of their records, and the class that
 * creates them.
 */
import { RINGS } from '../../packages/chip/src/table/rings.ts';
import type { ExportedNames } from './exported-names.ts';
import { ImportLines } from './import-lines.ts';

/** Path of the generated file, relative to the sources of the package. */
export const RINGS_FILE = 'records/run-rings.generated.ts';

/** Returns the body of the file, imports included. */
export function generateRings(names: ExportedNames): string {
  const imports = new ImportLines(RINGS_FILE);
  const rings = Object.entries(RINGS);
  const ring = imports.value('RecordRing', names.fileOf('RecordRing'));
  const integer = imports.type('i32', 'portable/number-types.ts');
  for (const [, { words }] of rings) {
    if (names.has(words)) imports.value(words, names.fileOf(words));
  }
  return `${imports}

/** Numbers of the rings. */
export const RING = {
  ${rings.map(([name], index) => `${name}: ${index},`).join('\n  ')}
} as const;
/** Number of words per record, by ring number. */
export const RING_STRIDES: readonly ${integer}[] = [${rings.map(([, { words }]) => words).join(', ')}];

/** Rings of records that the host writes during a run. */
export class RunRings {
  /** All rings, by ring number. */
  readonly rings: readonly ${ring}[];
  ${rings.map(([name]) => `readonly ${name}: ${ring};`).join('\n  ')}

  constructor() {
    ${rings.map(([name, { words, records }]) => `const ${name} = new ${ring}(${words}, ${records});`).join('\n    ')}
    this.rings = [${rings.map(([name]) => name).join(', ')}];
    ${rings.map(([name]) => `this.${name} = ${name};`).join('\n    ')}
  }
}
`;
}
