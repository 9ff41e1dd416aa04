/** Disturbs a simulated service: ends processes at any event, breaks links, disks and clocks. */

import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { Damage } from './workload/ledger.ts';
import type { ClusterHost } from './world/cluster-host.ts';
import { diskOf, networkOf } from './world/current-network.ts';
import type { DiskFault } from './world/disk.ts';
import { forkRandom } from './world/random.ts';
import type { SimProcess } from './world/sim-process.ts';
import type { World, WorldEvent } from './world/world.ts';

/** Kinds of disturbances. */
export const DISTURBANCES = [
  'crash',
  'crash of the coordinator',
  'stop',
  'halt',
  'cut link',
  'silent link',
  'cut stream',
  'power failure',
  'bit rot',
  'disk fault',
  'clock step',
] as const;

/** Kind of disturbance. */
export type Disturbance = (typeof DISTURBANCES)[number];

/** Probability of each kind, per event of a process. */
export type NemesisPlan = Readonly<Record<Disturbance, number>>;

/** Usual probability per event of a process, and share of the seeds that have the kind. */
const USUAL: Readonly<Record<Disturbance, { readonly rate: number; readonly share: number }>> = {
  crash: { rate: 2e-3, share: 0.8 },
  'crash of the coordinator': { rate: 6e-4, share: 0.7 },
  stop: { rate: 3e-4, share: 0.4 },
  halt: { rate: 4e-4, share: 0.4 },
  'cut link': { rate: 7e-4, share: 0.5 },
  'silent link': { rate: 3e-4, share: 0.3 },
  'cut stream': { rate: 1e-3, share: 0.4 },
  'power failure': { rate: 2e-4, share: 0.3 },
  'bit rot': { rate: 5e-4, share: 0.15 },
  'disk fault': { rate: 4e-4, share: 0.25 },
  'clock step': { rate: 5e-4, share: 0.3 },
};

const MAX_HALT_MS = 4000;
const MAX_FAULT_MS = 3000;
const DAY_MS = 86_400_000;
const CLOCK_STEPS_MS = [-DAY_MS, -60_000, 60_000, DAY_MS, 31 * DAY_MS, 400 * DAY_MS];
const FAULTS: readonly DiskFault[] = ['EIO', 'ENOSPC', 'EDQUOT'];
const FAULT_PROBABILITIES = [0.02, 0.3, 1] as const;

/**
 * Returns the plan of a seed. Every seed has another mixture, because frequent disturbances of one
 * kind hide those of another.
 *
 * @param without Kinds that do not occur. The others keep their probabilities.
 */
export function makePlan(random: SeededRandom, without: readonly Disturbance[] = []): NemesisPlan {
  const rates = DISTURBANCES.map((kind) => {
    const { rate, share } = USUAL[kind];
    const planned = random.next() < share ? rate * (0.2 + 2 * random.next()) : 0;
    return [kind, without.includes(kind) ? 0 : planned] as const;
  });
  return Object.fromEntries(rates) as NemesisPlan;
}

/** Disturbances of one world. */
export class Nemesis {
  readonly #world: World;
  readonly #host: ClusterHost;
  readonly #plan: NemesisPlan;
  /** Numbers of their own for each kind, so that leaving out one does not change the others. */
  readonly #randomByKind: ReadonlyMap<Disturbance, SeededRandom>;
  readonly #damage: Damage;
  #isActive = true;
  /** Number of disturbances by kind. */
  readonly counts = new Map<string, number>();

  constructor(world: World, host: ClusterHost, plan: NemesisPlan, damage: Damage) {
    this.#world = world;
    this.#host = host;
    this.#plan = plan;
    const random = forkRandom(world.random);
    this.#randomByKind = new Map(DISTURBANCES.map((kind) => [kind, forkRandom(random)]));
    this.#damage = damage;
    world.beforeEvent = (event) => this.#consider(event);
  }

  /** Ends all disturbances and repairs what can be repaired. */
  calm(): void {
    this.#isActive = false;
    diskOf(this.#world).fault = null;
    for (const process of this.#host.processes.values()) process.haltedUntilMs = 0;
    const { streams, links } = networkOf(this.#world);
    for (const end of [...streams, ...links]) if (end.isSwallowing) end.reset();
  }

  #consider({ context }: WorldEvent): void {
    if (!this.#isActive) return;
    const process = context.process as SimProcess;
    if (!this.#host.processes.has(process.name)) return;
    for (const kind of DISTURBANCES) {
      const rate = this.#plan[kind];
      if (rate > 0 && this.#randomByKind.get(kind)!.next() < rate) this.#disturb(kind, process);
    }
  }

  #disturb(kind: Disturbance, process: SimProcess): void {
    const world = this.#world;
    const random = this.#randomByKind.get(kind)!;
    const { links, streams } = networkOf(world);
    const isCoordinator = process.name === 'coordinator';
    switch (kind) {
      case 'crash':
        if (isCoordinator) return;
        process.finish({ kind: 'killed', cause: 'SIGKILL' });
        break;
      case 'crash of the coordinator':
        if (!isCoordinator) return;
        process.finish({ kind: 'killed', cause: 'SIGKILL' });
        break;
      case 'stop':
        process.signal('SIGTERM');
        break;
      case 'halt':
        process.haltedUntilMs = world.nowMs + random.next() * MAX_HALT_MS;
        break;
      case 'cut link':
        if (links.size === 0) return;
        random.pick([...links]).reset();
        break;
      case 'silent link':
        if (links.size === 0) return;
        random.pick([...links]).isSwallowing = true;
        break;
      case 'cut stream':
        if (streams.size === 0) return;
        random.pick([...streams]).reset();
        break;
      case 'power failure':
        this.#damage.powerFailures++;
        this.#host.losePower(() => diskOf(world).losePower());
        break;
      case 'bit rot':
        if (diskOf(world).rot(random) === null) return;
        this.#damage.rottenBytes++;
        break;
      case 'disk fault':
        this.#breakDisk(random);
        break;
      case 'clock step':
        this.#host.setClock(random.pick(CLOCK_STEPS_MS));
    }
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  #breakDisk(random: SeededRandom): void {
    const disk = diskOf(this.#world);
    this.#damage.diskFaults++;
    disk.fault = { kind: random.pick(FAULTS), probability: random.pick(FAULT_PROBABILITIES) };
    const forMs = random.next() * MAX_FAULT_MS;
    this.#world.schedule(this.#host.supervisor, forMs, () => {
      disk.fault = null;
    });
  }
}
