/** Runs one simulated service from one seed: disturbed work, then calm, then judgment. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from '../history/clients/exchange.ts';
import { describeOpen, judgeService, pause } from './judge-service.ts';
import { type Disturbance, makePlan, Nemesis } from './nemesis.ts';
import { drawSettings } from './service-roles.ts';
import { RandomClient } from './workload/client.ts';
import { type Damage, type JobKind, Ledger, type Violation } from './workload/ledger.ts';
import { NetworkAgent } from './workload/network-agent.ts';
import { ClusterHost } from './world/cluster-host.ts';
import { equipWorld } from './world/current-network.ts';
import { Disk } from './world/disk.ts';
import type { LogLine } from './world/log-lines.ts';
import { Network } from './world/network.ts';
import { forkRandom } from './world/random.ts';
import { SimProcess } from './world/sim-process.ts';
import { enterWorld, World } from './world/world.ts';

/** Settings of a run. */
export interface SeedOptions {
  readonly seed: number;
  /** Number of events with disturbances. */
  readonly events: number;
  /** Kinds of disturbances that do not occur. */
  readonly without?: readonly Disturbance[];
  /** Number of clients; drawn from the seed by default. */
  readonly clients?: number | undefined;
  /** Receives all lines of all logs. */
  readonly onLine?: (line: LogLine) => void;
}

/** Outcome of a seed. */
export interface SeedResult {
  readonly seed: number;
  readonly events: number;
  /** Hash of all events: equal runs have equal digests. */
  readonly digest: number;
  readonly virtualMs: number;
  /** Number of processes that were started. */
  readonly starts: number;
  readonly jobs: Readonly<Record<JobKind, number>>;
  readonly disturbances: Readonly<Record<string, number>>;
  /** Number of answers by route and status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

const FIRST_REQUEST_MS = 300;
const CLIENTS = { fewest: 2, more: 5 } as const;
const LONGEST_PAUSES_MS = [5, 20, 200] as const;
/**
 * Virtual time after which every accepted job has ended without disturbances. Seeds need at most 20
 * seconds. It is shorter than the time that a frame waits for chiplets, so that a frame that ends
 * only because nothing woke it is found.
 */
const CALM_MS = 120_000;
/** Upper bound on events in the calm part, which a service that runs in circles exceeds. */
const MAX_CALM_EVENTS = 1_000_000;
/** Folder in memory, where files cost no disk. */
const MEMORY_FOLDER = '/dev/shm';

/** Runs one seed. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const world = new World(options.seed);
  enterWorld(world);
  const folder = existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir();
  const root = mkdtempSync(join(folder, 'tessera-simulation-'));
  try {
    return await runWorld(world, root, options);
  } finally {
    world.end();
    rmSync(root, { recursive: true, force: true });
  }
}

async function runWorld(world: World, root: string, options: SeedOptions): Promise<SeedResult> {
  const network = new Network(world);
  const disk = new Disk(world, root);
  equipWorld(world, network, disk);
  const setup = forkRandom(world.random);
  const { roles, isRetentionSmall, resultSetting } = drawSettings(setup, disk.folder);
  const damage: Damage = { powerFailures: 0, rottenBytes: 0, diskFaults: 0, isRetentionSmall };
  const ledger = new Ledger(damage, resultSetting);
  const host = new ClusterHost(world, roles);
  watchForBugs(host, ledger, options.onLine);
  const nemesis = new Nemesis(world, host, makePlan(setup, options.without), damage);
  const makeClient = (name: string) => {
    const process = new SimProcess(world, name, {}, () => {});
    const exchange = new Exchange(new NetworkAgent(network, process));
    const client = new RandomClient(name, exchange, forkRandom(world.random), ledger);
    return { process, client };
  };

  const drawnClients = CLIENTS.fewest + setup.integer(0, CLIENTS.more - 1);
  const clientCount = options.clients ?? drawnClients;
  const longestPauseMs = setup.pick(LONGEST_PAUSES_MS);
  let working = clientCount;
  let isWorkOver = false;
  for (let number = 0; number < clientCount; number++) {
    const { process, client } = makeClient(`client-${number}`);
    world.schedule(process, FIRST_REQUEST_MS, async () => {
      while (!isWorkOver) {
        await client.act();
        await pause(process, world.random.next() * longestPauseMs);
      }
      working--;
    });
  }
  await world.run(() => world.eventCount >= options.events || ledger.violations.length > 0);

  isWorkOver = true;
  nemesis.calm();
  const { nowMs: calmMs, eventCount: calmEvents } = world;
  let isJudged = ledger.violations.length > 0;
  const { process: person, client: judge } = makeClient('judge');
  world.schedule(person, 0, async () => {
    while (working > 0) await pause(person, longestPauseMs);
    await judgeService({ judge, person, ledger, disk, host });
    isJudged = true;
  });
  const isTooLong = () =>
    world.nowMs - calmMs > CALM_MS || world.eventCount - calmEvents > MAX_CALM_EVENTS;
  await world.run(() => isJudged || isTooLong());
  if (!isJudged) ledger.violate('accepted jobs end', describeOpen(ledger) || 'the judgment');
  return {
    seed: options.seed,
    events: world.eventCount,
    digest: world.digest,
    virtualMs: Math.round(world.nowMs),
    starts: host.startCount,
    jobs: countJobs(ledger),
    disturbances: Object.fromEntries(nemesis.counts),
    answers: Object.fromEntries(ledger.answers),
    violations: ledger.violations,
  };
}

function watchForBugs(
  host: ClusterHost,
  ledger: Ledger,
  onLine: (line: LogLine) => void = () => {},
): void {
  host.onLine = onLine;
  host.onFailure = (name, end) =>
    ledger.violate('no process ends by an error', `${name}: ${describe(end.cause)}`);
  host.onBug = ({ message, fields }) => {
    const { err } = fields as { err?: unknown };
    if (ledger.isDiskSound) {
      ledger.violate('no work fails because of a bug', `${message}: ${describe(err)}`);
    }
  };
}

function countJobs({ jobs }: Ledger): Record<JobKind, number> {
  const counts = { frames: 0, sequences: 0, studies: 0 };
  for (const { kind } of jobs.values()) counts[kind]++;
  return counts;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
