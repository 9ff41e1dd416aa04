/** Generates the slots of counts and the function that fills them at the end of a run. */
import { COUNTS, type CountRow } from '../../packages/chip/src/table/counts.ts';
import { MEMORY_CLIENTS } from '../../packages/chip/src/table/memory-clients.ts';
import { WARP_WAITS } from '../../packages/chip/src/table/waits.ts';
import type { ExportedNames } from './exported-names.ts';
import { UNITS_FILE } from './generate-units.ts';
import { ImportLines } from './import-lines.ts';

/** Path of the file that fills the slots, relative to the sources of the package. */
export const COUNTS_FILE = 'chip-counts.generated.ts';
/** Path of the file of slots, relative to the sources of the package. */
export const COUNT_SLOTS_FILE = 'records/count-slots.generated.ts';

/** Returns the body of the file of slots. */
export function generateCountSlots(): string {
  const slots = Object.keys(COUNTS);
  const clients = Object.keys(MEMORY_CLIENTS).length;
  return `/** Slots of counts in an array of doubles. */
export const COUNT = {
  ${slots.map((slot, index) => `${slot}: ${index},`).join('\n  ')}
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = ${slots.length};
export const CLIENT_LINES_WRITTEN = ${slots.length + clients};
/** First slot of the cycles of warps, one slot per kind of WARP_WAIT. */
export const WARP_CYCLES = ${slots.length + 2 * clients};
/** Number of slots. */
export const COUNT_WORDS = ${slots.length + 2 * clients + WARP_WAITS.length};
`;
}

/** Returns the body of the file that fills the slots, imports included. */
export function generateCounts(names: ExportedNames): string {
  const imports = new ImportLines(COUNTS_FILE);
  for (const name of ['CLIENT_LINES_READ', 'CLIENT_LINES_WRITTEN', 'COUNT', 'WARP_CYCLES']) {
    imports.value(name, COUNT_SLOTS_FILE);
  }
  const rows = Object.entries(COUNTS) as [string, CountRow][];
  const parts = [...new Set(rows.map(([, { of }]) => of))];
  const code = parts.map((part) =>
    countPart(
      part,
      rows.filter(([, { of }]) => of === part),
    ),
  );
  for (const [, { value }] of rows) {
    for (const [name] of value.matchAll(/(?<![\w.])[A-Z]\w*/g)) {
      imports.value(name, names.fileOf(name));
    }
  }
  const integer = imports.type('i32', 'portable/number-types.ts');
  const units = imports.type('ChipUnits', UNITS_FILE);
  return `${imports}

/**
 * Fills the slots of COUNT after a run. Long because each count has a line.
 *
 * @param cycle Last cycle of the run.
 */
export function countRun(units: ${units}, cycle: ${integer}, counts: Float64Array): void {
  counts.fill(0);
${code.join('\n')}
}
`;
}

/** Returns the statements that count in one part of the chip, or in each part of a list. */
function countPart(part: string, rows: readonly [string, CountRow][]): string {
  const isList = part.endsWith('[]');
  const path = `units.${part.replace('[]', '')}`;
  const name = singular(part);
  if (!isList) {
    return `  const ${name} = ${path};
${rows.map(([slot, { value }]) => `  counts[COUNT.${slot}] = ${name}.${value};`).join('\n')}`;
  }
  const lines = rows.flatMap(([slot, { value, isLargest }]) =>
    isLargest
      ? [
          `if (${name}.${value} > counts[COUNT.${slot}]!) {`,
          `  counts[COUNT.${slot}] = ${name}.${value};`,
          '}',
        ]
      : [`counts[COUNT.${slot}]! += ${name}.${value};`],
  );
  if (part === 'memory.ports[]') {
    lines.push(
      `counts[CLIENT_LINES_READ + ${name}.client]! += ${name}.linesRead;`,
      `counts[CLIENT_LINES_WRITTEN + ${name}.client]! += ${name}.linesWritten;`,
    );
  }
  if (part === 'shaderCores[]') {
    lines.push(`${name}.addWarpCycles(counts, WARP_CYCLES, cycle);`);
  }
  return `  for (let i = 0; i < ${path}.length; i++) {
    const ${name} = ${path}[i]!;
    ${lines.join('\n    ')}
  }`;
}

/** Returns the last part of a path, without the plural of a list. */
function singular(part: string): string {
  const name = part.replace(/^.*\./, '');
  return name.endsWith('s[]') ? name.slice(0, -'s[]'.length) : name;
}
