/**
 * Data folders of released versions under the present service. Each folder beside this file was
 * left by the version of its name, whose coordinator was killed (make-references.ts).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Report } from '@tessera/frame';
import { STUDY_COLUMNS } from '@tessera/study';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../../packages/experiments/src/tables/csv.ts';
import { DATABASE_FORMAT } from '../../../services/coordinator/src/store/database.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../../support/service-harness.ts';
import { type FrameStatus, KEY, MODEL, MODEL_QUERY, RESOURCE, type Served } from './posted.ts';

stopServicesAfterAll();

/** Format of the journal by version. */
const VERSIONS = [['0.1.0', 3]] as const;
/** Names of columns of earlier versions that have another name now. */
const RENAMED: Readonly<Record<string, string>> = { model: 'scene', speedup: 'speedUp' };
const END_WITHIN = { timeout: 120_000, interval: 200 };

interface Study {
  readonly id: string;
  readonly status: string;
  readonly submittedAt: string;
  readonly links: Readonly<Record<string, string>> & { readonly plots: Record<string, string> };
}

interface RowPage {
  readonly total: number;
  readonly next: number | null;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

function journalFormat(folder: string): number {
  const journal = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
  const format = Number(journal.prepare('PRAGMA user_version').get()!.user_version);
  journal.close();
  return format;
}

/** Returns the columns that an earlier version had, with the names of this one, as texts. */
function formerColumns(
  row: Readonly<Record<string, unknown>>,
  former: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = Object.keys(former).map((name) => [name, RENAMED[name] ?? name] as const);
  return Object.fromEntries(names.map(([name, present]) => [name, String(row[present])]));
}

describe.each(VERSIONS)('a data folder of version %s', (version, format) => {
  const source = join(import.meta.dirname, version);
  const served = JSON.parse(readFileSync(join(source, 'served.json'), 'utf8')) as Served;
  const unfinishedFrames = [served.running, served.queued];
  const environment = { TESSERA_DATA_DIR: makeDataFolder() };
  let started: TestService;

  beforeAll(async () => {
    const archive = join(source, 'data-folder.tar.gz');
    execFileSync('tar', ['-xzf', archive, '-C', environment.TESSERA_DATA_DIR]);
    expect(journalFormat(environment.TESSERA_DATA_DIR)).toBe(format);
    started = await startTestService({ workerCount: 1, environment });
  });

  const get = (path: string) => fetch(started.url + path);

  async function getJson<T>(path: string): Promise<T> {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as T;
  }

  async function sha256Of(path: string): Promise<string> {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  }

  /** Returns the records of a study in the CSV file of the earlier version. */
  const formerRecords = (csv: string) => readRecords(parseCsv(csv));

  /** Lists that are the same at every start. */
  async function expectLists(): Promise<void> {
    const { frames } = await getJson<{ frames: (FrameStatus & { name: string })[] }>(
      '/v1/frames?limit=100',
    );
    const byId = new Map(frames.map((frame) => [frame.id, frame]));
    const known = served.frames.filter(({ status }) =>
      ['done', 'failed', 'cancelled'].includes(status),
    );
    expect(known.length).toBeGreaterThan(20);
    for (const { id, status, submittedAt, model, warnings, error } of known) {
      const name = model.split(', ')[0];
      expect(byId.get(id)).toMatchObject({ id, status, submittedAt, name, model, warnings, error });
    }
    const listed = frames.map(({ id }) => id).filter((id) => known.some((one) => one.id === id));
    expect(listed).toEqual(known.map(({ id }) => id));
    const { studies } = await getJson<{ studies: Study[] }>('/v1/studies');
    for (const study of [served.finishedStudy, served.cancelledStudy]) {
      const { id, status, submittedAt } = study;
      expect(studies.find((one) => one.id === id)).toMatchObject({ id, status, submittedAt });
    }
  }

  /** Images and reports with the bytes that the earlier version served. */
  async function expectResults(): Promise<void> {
    for (const { id, status, imageSha256, reportSha256 } of served.frames) {
      if (status !== 'done') continue;
      expect(await sha256Of(`/v1/frames/${id}/image`)).toBe(imageSha256);
      expect(await sha256Of(`/v1/frames/${id}/report`)).toBe(reportSha256);
    }
  }

  it('has its frames and studies in the lists', expectLists);

  it('has the bytes of its images and reports', expectResults);

  it('has pages for its frames: timelines, bins and events', async () => {
    for (const { id, status } of served.frames) {
      if (status !== 'done') continue;
      const self = `/v1/frames/${id}`;
      const { options } = await getJson<{ options: { timing: string } }>(self);
      const isTimed = options.timing === 'cycle';
      expect((await get(`${self}/timeline`)).status, self).toBe(isTimed ? 200 : 404);
      expect((await get(`${self}/image?bins=owner`)).status, self).toBe(200);
      expect(await (await get(`${self}/events`)).text()).toContain('"status":"done"');
    }
  });

  it('continues with unfinished frames', async () => {
    for (const id of unfinishedFrames) {
      const self = `/v1/frames/${id}`;
      await expect
        .poll(async () => (await getJson<FrameStatus>(self)).status, END_WITHIN)
        .toBe('done');
      const report = await getJson<Report>(`${self}/report`);
      const keyed = await getJson<Report>(`/v1/frames/${served.keyed}/report`);
      expect(report.image).toEqual(keyed.image);
    }
  });

  it('answers a repeated post with the frame of its key', async () => {
    const answer = await postModel(started.url, MODEL, MODEL_QUERY, { 'Idempotency-Key': KEY });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBe(`/v1/frames/${served.keyed}`);
  });

  it('has its resources for new frames', async () => {
    const answer = await fetch(`${started.url}/v1/frames`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'wait=60' },
      body: RESOURCE.frame,
    });
    expect(answer.status).toBe(200);
  });

  it('has frames that can be rendered again', async () => {
    const posted = served.frames.filter(
      ({ status, model }) => status === 'done' && !/of a study|frame \d of/.test(model),
    );
    expect(posted.length).toBeGreaterThan(5);
    for (const { id } of posted) {
      const path = `${started.url}/v1/frames/${id}/again?chiplets=3`;
      const answer = await fetch(path, { method: 'POST', headers: { Prefer: 'wait=60' } });
      expect(answer.status, await answer.clone().text()).toBe(202);
      const again = answer.headers.get('location')!;
      await expect
        .poll(async () => (await getJson<FrameStatus>(again)).status, END_WITHIN)
        .toBe('done');
      const report = await getJson<Report>(`${again}/report`);
      const former = await getJson<Report>(`/v1/frames/${id}/report`);
      expect(report.image).toEqual(former.image);
    }
  });

  it('has the rows of its studies in every form', async () => {
    const { id, csv } = served.finishedStudy;
    const former = formerRecords(csv);
    expect(former).toHaveLength(64);
    const { links } = await getJson<Study>(`/v1/studies/${id}`);
    const page = await getJson<RowPage>(`${links.rows}?limit=500`);
    expect(page).toMatchObject({ total: former.length, next: null });
    const records = readRecords(parseCsv(await (await get(links.csv!)).text()));
    expect(Object.keys(records[0]!)).toEqual(Object.keys(STUDY_COLUMNS));
    const parquet = await parquetReadObjects({
      file: await (await get(links.parquet!)).arrayBuffer(),
    });
    for (const rows of [page.rows, records, parquet]) {
      expect(rows.map((row, i) => formerColumns(row, former[i]!))).toEqual(former);
    }
    expect(Object.keys(links.plots).length).toBeGreaterThan(3);
    for (const path of Object.values(links.plots)) {
      const plot = await get(path);
      expect(plot.status).toBe(200);
      expect(await plot.text()).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
    }
    const { lines } = await getJson<{ lines: unknown[] }>(links.series!);
    expect(lines.length).toBeGreaterThan(0);
  });

  it('continues with an unfinished study and keeps its rows', async () => {
    const { id, csv } = served.unfinishedStudy;
    const former = formerRecords(csv);
    expect(former.length).toBeGreaterThan(0);
    const self = `/v1/studies/${id}`;
    await expect.poll(async () => (await getJson<Study>(self)).status, END_WITHIN).toBe('done');
    const { total, rows } = await getJson<RowPage>(`${self}/rows?limit=500`);
    expect(rows).toHaveLength(total);
    expect(rows.slice(0, former.length).map((row, i) => formerColumns(row, former[i]!))).toEqual(
      former,
    );
    // The points that this version renders have the images of those before.
    const images = new Set(rows.map(({ frame, imageSha256 }) => `${frame} ${imageSha256}`));
    expect(images.size).toBe(2);
  });

  it('is a folder of this version afterwards, also for the next start', async () => {
    await started.service.stop();
    expect(journalFormat(environment.TESSERA_DATA_DIR)).toBe(DATABASE_FORMAT);
    started = await startTestService({ workerCount: 1, environment });
    await expectLists();
    await expectResults();
  });

  it('has frames and studies that can be deleted', async () => {
    const paths = [
      ...served.frames.map(({ id }) => `/v1/frames/${id}`),
      ...[served.finishedStudy, served.cancelledStudy].map(({ id }) => `/v1/studies/${id}`),
    ];
    for (const path of paths) {
      expect((await fetch(started.url + path, { method: 'DELETE' })).status, path).toBe(204);
      expect((await get(path)).status).toBe(404);
    }
  });
});
