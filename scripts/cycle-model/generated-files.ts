/** The files of the cycle model that are generated from the tables in packages/chip/src/table. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import {
  RUN_PLAN_WORDS,
  SHARED_MEMORY_WORDS,
  TIMING_SPEC_WORDS,
} from '../../packages/chip/src/table/words.ts';
import { CHIP_SOURCES, ExportedNames } from './exported-names.ts';
import {
  COUNT_SLOTS_FILE,
  COUNTS_FILE,
  generateCountSlots,
  generateCounts,
} from './generate-counts.ts';
import { generateLoop, LOOP_FILE } from './generate-loop.ts';
import { generateRings, RINGS_FILE } from './generate-rings.ts';
import { generateUnits, UNITS_FILE } from './generate-units.ts';
import {
  generateClientNumbers,
  generateSpecChoices,
  generateWaitKinds,
  generateWordClass,
} from './generate-words.ts';

/**
 * Returns the text of every generated file by its path in the repository.
 *
 * @param root Root of the repository.
 */
export function generateModelFiles(root: string): Map<string, string> {
  const names = new ExportedNames(root);
  const bodies: Readonly<Record<string, readonly [table: string, body: string]>> = {
    'records/timing-spec.generated.ts': [
      'words',
      generateWordClass(
        'TimingSpec',
        'Hardware parameters of the chip: the fields of a ChipletSpec that it depends on.',
        TIMING_SPEC_WORDS,
      ),
    ],
    'records/run-plan.generated.ts': [
      'words',
      generateWordClass(
        'RunPlan',
        'Traffic of a run that is known before it starts. Addresses are in lines.',
        RUN_PLAN_WORDS,
      ),
    ],
    'records/shared-memory.generated.ts': [
      'words',
      generateWordClass(
        'SharedMemory',
        'Memories that a chiplet shares with others. Lines are those of an address space.',
        SHARED_MEMORY_WORDS,
      ),
    ],
    'records/client-numbers.generated.ts': ['memory-clients', generateClientNumbers()],
    'records/spec-choices.generated.ts': ['spec-choices', generateSpecChoices()],
    'records/wait-kinds.generated.ts': ['waits', generateWaitKinds()],
    [RINGS_FILE]: ['rings', generateRings(names)],
    [COUNT_SLOTS_FILE]: ['counts', generateCountSlots()],
    [COUNTS_FILE]: ['counts', generateCounts(names)],
    [UNITS_FILE]: ['units', generateUnits(names)],
    [LOOP_FILE]: ['units', generateLoop(names)],
  };
  return new Map(
    Object.entries(bodies).map(([file, [table, body]]) => {
      const path = `${CHIP_SOURCES}/${file}`;
      const head = `/**
 * Generated from table/${table}.ts by \`npm run cycle-model:build\`. Do not edit. Long because it is
 * generated.
 */
`;
      return [path, format(root, path, `${head}${body}`)];
    }),
  );
}

/** Formats a file like the rest of the tree. */
function format(root: string, path: string, text: string): string {
  const biome = resolve(root, 'node_modules/.bin/biome');
  const args = ['check', '--write', `--stdin-file-path=${path}`];
  return execFileSync(biome, args, { cwd: root, input: text, encoding: 'utf8' });
}
