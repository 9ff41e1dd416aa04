/**
 * `npm run deadlock`: runs the parts of the simulated GPU that could wait for each other with the
 * least room and random traffic, and prints a line for each case.
 */
import { parseArgs } from 'node:util';
import { PLACEMENTS } from '@tessera/frame';
import { NETWORK_TOPOLOGIES } from '@tessera/multi-chiplet';
import { canRunMachines, type DeadlockCase, runDeadlockCase } from './deadlock-case.ts';

const PARTS = ['network', 'memories', 'machines'] as const;
const TOPOLOGIES = Object.keys(NETWORK_TOPOLOGIES) as DeadlockCase['topology'][];
const CHIPLETS = '2,3,4,5,7,8,12,16,23,32,64';

const USAGE = `npm run deadlock -- [options]

  --parts LIST       ${PARTS.join(', ')}: requests and replies over the packet network with buffers of one
                     packet; memory systems that share their memories over it, with 2 misses of the
                     second-level cache, one way a set and tables of one or two entries; and whole chiplets with
                     such caches and tables that draw random frames. All by default
  --topologies LIST  of ${TOPOLOGIES.join(', ')}; all by default
  --chiplets LIST    numbers of chiplets, 2 to 256; ${CHIPLETS} by default
  --placements LIST  of ${PLACEMENTS.join(', ')}; all by default. Memories
                     have no ${PLACEMENTS[0]}, and some topologies have nothing else for machines
  --cycles N         cycles of traffic in each case, 10000000 by default
  --seed N           seed of the traffic; random by default
`;

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function readList<T extends string>(name: string, text: string, words: readonly T[]): readonly T[] {
  return text.split(',').map((word) => {
    const known = words.find((each) => each === word);
    return known ?? fail(`--${name}: '${word}' is not one of ${words.join(', ')}`);
  });
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  return fail(`--${name}: '${text}' is not an integer from ${min} to ${max}`);
}

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: PARTS.join(',') },
    topologies: { type: 'string', default: TOPOLOGIES.join(',') },
    chiplets: { type: 'string', default: CHIPLETS },
    placements: { type: 'string', default: PLACEMENTS.join(',') },
    cycles: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const seed = readInteger('seed', values.seed, 0, 2 ** 31 - 1);
const cycles = readInteger('cycles', values.cycles, 1, 2 ** 30);
const topologies = readList('topologies', values.topologies, TOPOLOGIES);
const placements = readList('placements', values.placements, PLACEMENTS);
const chipletCounts = values.chiplets
  .split(',')
  .map((text) => readInteger('chiplets', text, 2, 256));

/** Returns the placements of the cases of a part. */
function placementsOf(part: DeadlockCase['part'], topology: DeadlockCase['topology']) {
  if (part === 'network') return [null];
  if (part === 'memories') return placements.filter((name) => name !== 'replicated');
  return placements.filter((name) => canRunMachines(topology, name));
}

const cases = readList('parts', values.parts, PARTS).flatMap((part) =>
  chipletCounts.flatMap((chipletCount) =>
    topologies.flatMap((topology) =>
      placementsOf(part, topology).map(
        (placement): DeadlockCase => ({ part, topology, chipletCount, placement }),
      ),
    ),
  ),
);

process.stdout.write(`seed ${seed}, ${cases.length} cases of ${cycles} cycles\n`);
let failedCount = 0;
for (const each of cases) {
  const { part, chipletCount, topology, placement } = each;
  const name = `${part} ${chipletCount} ${topology}${placement === null ? '' : ` ${placement}`}`;
  const before = process.cpuUsage();
  let outcome: string;
  try {
    const { requests } = await runDeadlockCase(each, cycles, seed);
    outcome = `passed  ${requests} requests`;
  } catch (error) {
    failedCount++;
    outcome = `FAILED  ${error instanceof Error ? error.message : String(error)}`;
  }
  const { user, system } = process.cpuUsage(before);
  const seconds = ((user + system) / 1e6).toFixed(1);
  process.stdout.write(`${name.padEnd(40)} ${seconds.padStart(8)} s CPU  ${outcome}\n`);
}
process.exit(failedCount === 0 ? 0 : 1);
