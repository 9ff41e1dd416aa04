/**
 * Judges a service after its disturbances: every accepted job ends, every result can be read,
 * everything can be deleted, and nothing is left.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_PLACES } from './service-roles.ts';
import type { RandomClient } from './workload/client.ts';
import { RESOURCES } from './workload/inputs.ts';
import type { Job, JobKind, Ledger } from './workload/ledger.ts';
import type { ClusterHost } from './world/cluster-host.ts';
import type { Disk } from './world/disk.ts';
import type { SimProcess } from './world/sim-process.ts';

const POLL_MS = 2000;
/** Upper bound on requests of a list. */
const MAX_ATTEMPTS = 30;
const ENDS = ['done', 'failed', 'cancelled', 'gone'];
const KINDS: readonly JobKind[] = ['sequences', 'studies', 'frames'];
/** Places of the queue that one client may have. */
const OWN_PLACES = Math.floor(QUEUE_PLACES * 0.75);

/** Client that judges, and what it judges by. */
export interface Judgment {
  readonly judge: RandomClient;
  readonly person: SimProcess;
  readonly ledger: Ledger;
  readonly disk: Disk;
  readonly host: ClusterHost;
}

/** Resolves when everything has been checked. Never resolves if a job does not end. */
export async function judgeService(judgment: Judgment): Promise<void> {
  const { judge, person, ledger, disk } = judgment;
  const jobs = [...ledger.jobs.values()];
  for (const job of jobs) await waitForEnd(judgment, job);
  for (const job of jobs) await judgeResults(judgment, job);
  for (const kind of KINDS) await judgeList(judgment, kind);
  const accepted = await judge.fillQueue(OWN_PLACES);
  if (accepted < OWN_PLACES) {
    ledger.violate('places of ended frames are free', `${accepted} of ${OWN_PLACES}`);
  }
  await judgeList(judgment, 'frames');
  await pause(person, POLL_MS);
  if (ledger.isDiskSound) judgeFolder(ledger, disk);
  await judgeDamagedJournal(judgment);
}

/** A coordinator whose journal is damaged says so and exits. */
async function judgeDamagedJournal({ host, person, ledger, disk }: Judgment): Promise<void> {
  const journal = join(disk.folder, 'journal.sqlite');
  host.kill('coordinator');
  writeFileSync(journal, Buffer.alloc(statSync(journal).size, 0xa5));
  const startCount = host.startCount;
  while (host.startCount < startCount + 2) await pause(person, POLL_MS);
  if (!host.lastPrinted.includes('journal.sqlite')) {
    ledger.violate('a damaged journal is named', host.lastPrinted);
  }
}

/** Returns the jobs that have not ended, for a message. */
export function describeOpen({ jobs }: Ledger): string {
  const open = [...jobs.values()].filter((job) => job.final === null && job.deletesSent === 0);
  return open.map(({ kind, id, content }) => `${kind} ${id} (${content})`).join(', ');
}

/** Resolves after a virtual time, in an event of a process. */
export function pause(process: SimProcess, ms: number): Promise<void> {
  return new Promise((resolve) => process.world.schedule(process, ms, resolve));
}

async function waitForEnd({ judge, person }: Judgment, job: Job): Promise<void> {
  while (!ENDS.includes((await judge.readJob(job)) ?? '')) await pause(person, POLL_MS);
}

async function judgeResults({ judge, ledger }: Judgment, job: Job): Promise<void> {
  const { kind, final, deletesSent, id } = job;
  if (kind !== 'frames' || final?.status !== 'done' || deletesSent > 0) return;
  const isRead = (await judge.readImage(job)) && (await judge.readPart(job, 'report'));
  if (isRead || !ledger.isDiskSound || ledger.damage.isRetentionSmall) return;
  ledger.violate('results of done frames can be read', id);
}

/**
 * Returns the ids of a list. A service that was asked to stop before the calm starts again first.
 */
async function listWhenUp({ judge, person }: Judgment, kind: JobKind): Promise<string[] | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const ids = await judge.list(kind);
    if (ids !== null) return ids;
    await pause(person, POLL_MS);
  }
  return null;
}

/** Deletes all jobs that a list names, until it is empty. */
async function judgeList(judgment: Judgment, kind: JobKind): Promise<void> {
  const { judge, ledger } = judgment;
  const ids = await listWhenUp(judgment, kind);
  if (ids === null) {
    ledger.violate('a calm service answers', `list of ${kind}`);
    return;
  }
  for (const job of ledger.jobs.values()) {
    const mayBeMissing = job.deletesSent > 0 || kind !== 'frames' || ledger.damage.isRetentionSmall;
    if (job.kind !== kind || mayBeMissing || ids.includes(job.id)) continue;
    ledger.violate('lists name all that was accepted', job.id);
  }
  for (const id of ids) {
    const unknown = { content: '', key: null, deletesSent: 1, isDeleted: false, final: null };
    const job = ledger.jobs.get(id) ?? { kind, id, ...unknown };
    await waitForEnd(judgment, job);
    await judge.delete(job);
  }
  const left = await listWhenUp(judgment, kind);
  if (left?.length !== 0) ledger.violate('deleted jobs are gone', `${kind}: ${left?.join(', ')}`);
}

/** Only resources may be left in a folder whose jobs were all deleted. */
function judgeFolder(ledger: Ledger, disk: Disk): void {
  const sizesIn = (name: string) =>
    readdirSync(join(disk.folder, name), { recursive: true })
      .map((file) => statSync(join(disk.folder, name, String(file))))
      .filter((stat) => stat.isFile())
      .map(({ size }) => size);
  const incoming = sizesIn('incoming');
  if (incoming.length > 0) ledger.violate('no unfinished file is left', `${incoming.length} files`);
  const resourceBytes = RESOURCES[0]!.length;
  const files = sizesIn('files').filter((size) => size !== resourceBytes);
  if (files.length > 0) {
    ledger.violate('files without owners are removed', `sizes ${files.join(', ')}`);
  }
}
