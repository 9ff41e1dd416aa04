/**
 * Generates classes of words that the host writes, and the numbers of choices and memory clients.
 */
import { MEMORY_CLIENTS } from '../../packages/chip/src/table/memory-clients.ts';
import {
  PAGE_POLICIES,
  PAGE_STRUCTURES,
  PLACEMENTS,
  REMOTE_CACHES,
  SLOT_POLICIES,
  WARP_ID_LAYOUTS,
} from '../../packages/chip/src/table/spec-choices.ts';
import { WAITS, WARP_WAITS } from '../../packages/chip/src/table/waits.ts';
import type { WordKind } from '../../packages/chip/src/table/words.ts';

/**
 * Returns the body of a file with a class that reads the words of a table.
 *
 * @param comment Doc comment of the class.
 */
export function generateWordClass(
  name: string,
  comment: string,
  table: Readonly<Record<string, WordKind>>,
): string {
  const fields = Object.entries(table);
  const declare = ([field, kind]: [string, WordKind]) =>
    kind === 'switch' ? `${field}: boolean = false;` : `${field}: i32 = 0;`;
  const read = ([field, kind]: [string, WordKind], index: number) =>
    `this.${field} = words[${index}]!${kind === 'switch' ? ' === 1' : ''};`;
  return `import type { i32 } from '../portable/number-types.ts';

/** ${comment} */
export class ${name} {
  ${fields.map(declare).join('\n  ')}

  /** Reads one word for each field; a switch is 0 or 1. Long because each field has a line. */
  load(words: Int32Array): void {
    ${fields.map(read).join('\n    ')}
  }
}
`;
}

/** Returns the body of the file with the numbers of memory clients. */
export function generateClientNumbers(): string {
  return generateNumbers(
    'MEMORY_CLIENT',
    'Numbers of the clients of local memory, which are their priorities: higher goes first.',
    Object.keys(MEMORY_CLIENTS),
  );
}

/** Returns the body of the file with the numbers of choices in a specification. */
export function generateSpecChoices(): string {
  return [
    generateNumbers('PAGE_POLICY', 'Numbers of the page policies.', PAGE_POLICIES),
    generateNumbers('PAGE_STRUCTURE', 'Numbers of the page structures.', PAGE_STRUCTURES),
    generateNumbers('PLACEMENT', 'Numbers of the placements.', PLACEMENTS),
    generateNumbers('REMOTE_CACHE', 'Numbers of the caches of remote lines.', REMOTE_CACHES),
    generateNumbers('SLOT_POLICY', 'Numbers of the slot policies.', SLOT_POLICIES),
    generateNumbers('WARP_ID_LAYOUT', 'Numbers of the layouts of warp IDs.', WARP_ID_LAYOUTS),
  ].join('\n');
}

/** Returns the body of the file with the numbers of the kinds of waits, and their numbers. */
export function generateWaitKinds(): string {
  return [
    generateNumbers('WAIT', 'Numbers of the kinds of waits.', [...WAITS, 'count']),
    generateNumbers('WARP_WAIT', 'Numbers of the kinds of waits of warps.', [
      ...WARP_WAITS,
      'count',
    ]),
  ].join('\n');
}

function generateNumbers(name: string, comment: string, keys: readonly string[]): string {
  const camelCase = (key: string) =>
    key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `/** ${comment} */
export const ${name} = {
  ${keys.map((key, index) => `${camelCase(key)}: ${index},`).join('\n  ')}
} as const;
`;
}
