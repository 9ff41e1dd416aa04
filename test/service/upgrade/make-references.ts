/**
 * Makes a data folder with a released version of the service, for upgrade.test.ts:
 *
 *     npx node test/service/upgrade/make-references.ts CHECKOUT FOLDER
 *
 * CHECKOUT is a checkout of that version with its packages installed, FOLDER receives
 * `data-folder.tar.gz` and `served.json`. The service of CHECKOUT renders frames and studies, and
 * its coordinator is killed while others are unfinished.
 *
 * The file with random bytes that the service reserves on the disk is left out, because any start
 * creates it again.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LaunchedService } from '../../../scripts/launch/service-launcher.ts';
import { nativeTriangle } from '../../../services/coordinator/src/testing/native-triangle.ts';
import {
  type FrameStatus,
  KEY,
  MODEL,
  MODEL_QUERY,
  RESOURCE,
  type Served,
  type ServedFrame,
  type ServedStudy,
  smallCapture,
} from './posted.ts';

/** Time between two questions for a status. */
const POLL_MS = 5;
/** Budget that {@link ENDLESS} exceeds, and the other frames do not. */
const FRAME_INSTRUCTIONS = 50_000_000;
const GREEN = 'void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }';
const ENDLESS = `precision highp float; void main() {
  float sum = 0.0;
  for (int i = 0; i < 100000; i++) sum += sin(float(i));
  gl_FragColor = vec4(sum);
}`;
const NO_WAIT = { Prefer: 'respond-async' };
const WAIT = { Prefer: 'wait=60' };
const JSON_BODY = { 'Content-Type': 'application/json' };
const GLB_BODY = { 'Content-Type': 'model/gltf-binary' };

/** Study of which only the progress is wanted. */
interface Progress {
  readonly progress: { readonly done: number };
}

const [checkout, output] = process.argv.slice(2);
if (checkout === undefined || output === undefined) {
  throw new Error('usage: make-references.ts CHECKOUT FOLDER');
}
const launcherPath = resolve(checkout, 'scripts/launch/service-launcher.ts');
const launcher = (await import(launcherPath)) as { LaunchedService: typeof LaunchedService };
const dataFolder = mkdtempSync(join(tmpdir(), 'tessera-upgrade-'));
const service = await launcher.LaunchedService.start({
  workerCount: 1,
  environment: {
    TESSERA_LOG_LEVEL: 'warn',
    TESSERA_PORT: '0',
    TESSERA_CROSSLINK_PORT: '0',
    TESSERA_DATA_DIR: dataFolder,
    // One for a point of the study, one for a frame: the next frame waits.
    TESSERA_FRAMES_IN_FLIGHT: '2',
    TESSERA_FRAME_INSTRUCTIONS: String(FRAME_INSTRUCTIONS),
  },
  isRestarting: false,
  onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
  onFatal: (message) => process.stderr.write(`${message}\n`),
});
const { url } = service;

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url + path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Posts a body and returns the address of the frame or study. */
async function post(
  path: string,
  content: string | Uint8Array,
  headers: HeadersInit,
): Promise<string> {
  const body = typeof content === 'string' ? content : new Uint8Array(content);
  const answer = await call(path, { method: 'POST', body, headers });
  await answer.arrayBuffer();
  return answer.headers.get('location')!;
}

async function postForm(query: string, bytes: Uint8Array, name: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const answer = await call(`/v1/frames${query}`, { method: 'POST', body: form, headers: WAIT });
  await answer.arrayBuffer();
  return answer.headers.get('location')!;
}

async function getJson<T>(path: string): Promise<T> {
  return (await (await call(path)).json()) as T;
}

/** Resolves when the frame or study at `path` satisfies `isReached`. */
async function waitFor<T>(path: string, isReached: (status: T) => boolean): Promise<void> {
  while (!isReached(await getJson<T>(path))) await new Promise((done) => setTimeout(done, POLL_MS));
}

const hasStatus = (wanted: string) => (found: { status: string }) => found.status === wanted;

function idOf(location: string): string {
  return location.split('/').at(-1)!;
}

async function sha256Of(path: string): Promise<string> {
  const bytes = Buffer.from(await (await call(path)).arrayBuffer());
  return createHash('sha256').update(bytes).digest('hex');
}

// 1. Frames and studies that end.
const size = MODEL_QUERY;
const done = [
  await post(`/v1/frames${size}`, MODEL, { ...GLB_BODY, ...WAIT, 'Idempotency-Key': KEY }),
  await postForm(`${size}&spec=hmgpu&policy=static&linkTopology=ring`, MODEL, 'colored box.glb'),
  await postForm('?bins=4&chiplets=2', smallCapture(), 'two frames.trace'),
  await post('/v1/frames?bins=4', nativeTriangle(32, GREEN), { ...JSON_BODY, ...WAIT }),
  await post(`/v1/frames${size}&timing=functional&occlusion=true&split=1&visibility=full`, MODEL, {
    ...GLB_BODY,
    ...WAIT,
  }),
];
await call(`/v1/resources/${RESOURCE.sha256}`, {
  method: 'PUT',
  headers: { 'Content-Type': 'application/octet-stream' },
  body: RESOURCE.bytes,
});
done.push(await post('/v1/frames?bins=4&chiplets=2', RESOURCE.frame, { ...JSON_BODY, ...WAIT }));
const failed = await post('/v1/frames', nativeTriangle(64, ENDLESS), { ...JSON_BODY, ...NO_WAIT });
await waitFor(failed, hasStatus('failed'));
await post(`/v1/sequences${size}&from=0&to=1&frames=2`, MODEL, { ...GLB_BODY, ...WAIT });
const study = {
  frames: [idOf(done[0]!), idOf(done[2]!)],
  chiplets: [1, 2],
  policies: ['static', 'dynamic'],
  specs: ['default', 'loongson'],
  bins: [2, 4],
  visibility: ['minimal', 'full'],
};
const finishedStudy = await post('/v1/studies', JSON.stringify(study), JSON_BODY);
await waitFor(finishedStudy, hasStatus('done'));
const cancelledStudy = await post('/v1/studies', JSON.stringify(study), JSON_BODY);
await call(cancelledStudy, { method: 'DELETE' });
await waitFor(cancelledStudy, hasStatus('cancelled'));

// 2. Frames and a study that the coordinator leaves unfinished, because a chiplet is halted.
const unfinished = { ...study, bins: [1, 2, 3, 4, 5, 6, 7, 8] };
const unfinishedStudy = await post('/v1/studies', JSON.stringify(unfinished), JSON_BODY);
await waitFor<Progress>(unfinishedStudy, ({ progress }) => progress.done > 0);
const chiplet = service.pids().get('visibility-chiplet')!;
process.kill(chiplet, 'SIGSTOP');
const running = await post(`/v1/frames${size}`, MODEL, { ...GLB_BODY, ...NO_WAIT });
await waitFor(running, hasStatus('running'));
const queued = await post(`/v1/frames${size}&policy=static`, MODEL, { ...GLB_BODY, ...NO_WAIT });
const cancelled = await post(`/v1/frames${size}`, MODEL, { ...GLB_BODY, ...NO_WAIT });
await call(cancelled, { method: 'DELETE' });

// 3. What the version serves.
const frames: ServedFrame[] = [];
const list = await getJson<{ frames: FrameStatus[] }>('/v1/frames?limit=100');
for (const { id, status, submittedAt, model, warnings, error } of list.frames) {
  const isDone = status === 'done';
  const imageSha256 = isDone ? await sha256Of(`/v1/frames/${id}/image`) : null;
  const reportSha256 = isDone ? await sha256Of(`/v1/frames/${id}/report`) : null;
  frames.push({ id, status, submittedAt, model, warnings, error, imageSha256, reportSha256 });
}

async function servedStudy(path: string): Promise<ServedStudy> {
  const { id, status, submittedAt } = await getJson<ServedStudy>(path);
  return { id, status, submittedAt, csv: await (await call(`${path}/results.csv`)).text() };
}

const served: Served = {
  frames,
  finishedStudy: await servedStudy(finishedStudy),
  cancelledStudy: await servedStudy(cancelledStudy),
  unfinishedStudy: await servedStudy(unfinishedStudy),
  keyed: idOf(done[0]!),
  running: idOf(running),
  queued: idOf(queued),
};

// 4. The end.
process.kill(service.pids().get('coordinator')!, 'SIGKILL');
process.kill(chiplet, 'SIGCONT');
await service.stop();
mkdirSync(output, { recursive: true });
writeFileSync(join(output, 'served.json'), `${JSON.stringify(served, null, 2)}\n`);
const archive = resolve(output, 'data-folder.tar.gz');
execFileSync('tar', ['-czf', archive, '--exclude=./reserve', '-C', dataFolder, '.']);
rmSync(dataFolder, { recursive: true, force: true });
process.stdout.write(`${archive}: ${readFileSync(archive).length} bytes\n`);
