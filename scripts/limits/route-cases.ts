/**
 * Worst input of each route at the limits of docs/limits.md. A test compares the routes with the
 * OpenAPI document. One file because it is one table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationName } from '@tessera/client';
import { POLICY_NAMES } from '@tessera/multi-chiplet/rendering';
import {
  drain,
  frameOfResources,
  type LimitService,
  openStalledReaders,
  post,
  postFrame,
  waitFor,
} from './limit-inputs.ts';

/** The worst load that one or a few clients can cause with a route. */
export interface RouteCase {
  /** Short description for the table. */
  readonly input: string;
  readonly run: (service: LimitService, state: CaseState) => Promise<unknown>;
}

/** Ids that earlier cases leave for later ones. */
export interface CaseState {
  /** Body of a frame that names the maximum number of resources. */
  resources: string;
  namingFrame: string;
  /** Id of a sequence of 1,000 frames. */
  sequence: string;
  study: string;
}

const READERS = 100;
const RUNNING_SEQUENCES = 64;
const SEQUENCE_FRAMES = 1000;
const STREAMS = 256;
const LISTS = 20;
const DRAWN_AT_ONCE = 12;
const ARCHIVED = 80;
const MAX_SWEPT = 64;
const SWEPT_POLICIES = 8;
const MAX_CHIPLETS = 1024;
const STORED_SPECS = 100;
/** Number of chiplets on which 1,000 frames of 256 bins are the largest permitted sequence. */
const SEQUENCE_CHIPLETS = 32;
/** Maximum number of frames of 1,024 bins in a sequence on the most chiplets. */
const FRAMES_ON_MOST_CHIPLETS = 7;
/** Maximum number of these frames whose timeline fits in the heap of a computation. */
const FRAMES_OF_LONGEST_TIMELINE = 5;
/** Settings of these sequences. */
const WIDE_SEQUENCE = 'chiplets=1024&linkTopology=ring&policy=static';
const range = (count: number, from = 1) => Array.from({ length: count }, (_, i) => i + from);

/** Runs a function several times concurrently. */
async function times(count: number, run: () => Promise<unknown>): Promise<void> {
  await Promise.all(range(count).map(run));
}

type PathOf = (service: LimitService, state: CaseState) => string;

/** Returns a case in which all clients send a request at once and read the whole answer. */
const read = (pathOf: PathOf, count: number) => (service: LimitService, state: CaseState) =>
  times(count, () => drain(service, pathOf(service, state)));

/** Returns a case of clients that do not read, until the service has closed their connections. */
const stall = (pathOf: PathOf) => async (service: LimitService, state: CaseState) => {
  const sockets = await openStalledReaders(service, pathOf(service, state), READERS);
  await sleep(service.stalledForMs);
  for (const socket of sockets) socket.destroy();
};

async function postSequence(
  service: LimitService,
  frames: readonly string[],
  query: string,
): Promise<string> {
  const { id } = (await post(service, `/v1/sequences?${query}`, { frames })) as { id: string };
  await waitFor(service, `/v1/sequences/${id}`);
  return id;
}

async function postStudy(service: LimitService, body: object): Promise<string> {
  const { id } = (await post(service, '/v1/studies', body)) as { id: string };
  await waitFor(service, `/v1/studies/${id}`);
  return id;
}

/** Stores a specification. */
async function putSpec({ url, headers }: LimitService, name: string): Promise<void> {
  const response = await fetch(`${url}/v1/specs/${name}`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ preset: 'hmgpu', set: { l2CacheBytes: 65_536, smCount: 64 } }),
  });
  if (!response.ok) throw new Error(`PUT /v1/specs/${name}: status ${response.status}`);
  await response.arrayBuffer();
}

const copies = (id: string, count: number) => range(count).map(() => id);

/** Returns a case of event streams whose clients do not read while frames are rendered. */
const watch =
  (pathOf: PathOf, headers: Readonly<Record<string, string>> = {}) =>
  async (service: LimitService, state: CaseState): Promise<void> => {
    const asked = { ...service, headers: { ...service.headers, ...headers } };
    const sockets = await openStalledReaders(asked, pathOf(service, state), STREAMS);
    for (let i = 0; i < LISTS; i++) await rerender(service);
    for (const socket of sockets) socket.destroy();
  };

/** Renders a posted frame again, waits for it and returns the id of the new frame. */
async function again(service: LimitService, frameId: string, query: string): Promise<string> {
  const { id } = (await post(service, `/v1/frames/${frameId}/again?${query}`, null)) as {
    id: string;
  };
  await waitFor(service, `/v1/frames/${id}`);
  return id;
}

const rerender = (service: LimitService) => again(service, service.frames.small, '');

/** Gives a frame or sequence the longest name and tags. */
async function label({ url, headers }: LimitService, path: string): Promise<void> {
  const tags = range(20).map((number) => `${number}`.padStart(50, 't'));
  const response = await fetch(`${url}${path}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'n'.repeat(255), tags }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}

/** Signs in, or attempts to: a service without tokens has no sessions. */
const signIn = (service: LimitService) =>
  times(READERS, () => post(service, '/v1/session', { token: 'none' }).catch(() => {}));

/** Cases by operation. Later cases use the ids that earlier ones created. */
export const ROUTE_CASES: Readonly<Record<OperationName, readonly RouteCase[]>> = {
  isLive: [{ input: '100 at once', run: read(() => '/livez', READERS) }],
  isReady: [{ input: '100 at once', run: read(() => '/readyz', READERS) }],
  getMetrics: [{ input: '100 at once', run: read(() => '/metrics', READERS) }],
  listCounters: [{ input: '100 at once', run: read(() => '/v1/counters', READERS) }],
  listChiplets: [{ input: '100 at once', run: read(() => '/v1/chiplets', READERS) }],
  getQuota: [{ input: '100 at once', run: read(() => '/v1/quota', READERS) }],
  getSession: [{ input: '100 at once', run: read(() => '/v1/session', READERS) }],
  signIn: [{ input: '100 at once', run: signIn }],
  signOut: [
    {
      input: '100 at once',
      run: (service) => times(READERS, () => drain(service, '/v1/session', 'DELETE')),
    },
  ],
  putSpec: [
    {
      input: 'as many as are stored',
      run: async (service) => {
        for (const number of range(STORED_SPECS)) await putSpec(service, `stored-${number}`);
      },
    },
  ],
  listSpecs: [{ input: 'all stored, 20 at once', run: read(() => '/v1/specs', LISTS) }],
  listSpecParameters: [{ input: '100 at once', run: read(() => '/v1/specs/parameters', READERS) }],
  getSpec: [{ input: '100 at once', run: read(() => '/v1/specs/stored-1', READERS) }],
  deleteSpec: [
    {
      input: 'all stored, at once',
      run: (service) =>
        Promise.all(
          range(STORED_SPECS).map((number) =>
            drain(service, `/v1/specs/stored-${number}`, 'DELETE'),
          ),
        ),
    },
  ],
  putResource: [
    {
      input: '16,000 resources',
      run: async (service, state) => {
        state.resources = await frameOfResources(service);
      },
    },
  ],
  postFrame: [
    {
      input: 'frame that names 16,000 resources',
      run: async (service, state) => {
        state.namingFrame = await postFrame(service, state.resources, 'timing=functional');
      },
    },
    {
      input: '1,024 bins on 1,024 chiplets with cycles: the longest timeline',
      run: (service) => again(service, service.frames.widest, 'linkTopology=ring'),
    },
    {
      input: 'largest image, of noise',
      run: (service) => again(service, service.frames.largest, ''),
    },
  ],
  renderFrameAgain: [
    {
      input: 'frame of 16,000 resources, 20 times',
      run: async (service, state) => {
        for (let i = 0; i < LISTS; i++) await again(service, state.namingFrame, '');
      },
    },
    {
      input: '1,024 bins on 256 coupled chiplets, twice at once',
      run: (service) =>
        times(2, () => again(service, service.frames.widest, 'coupling=exact&chiplets=256')),
    },
  ],
  listFrames: [
    {
      input: 'all stored, 20 at once; some name 16,000 resources',
      run: read(() => '/v1/frames?limit=200', LISTS),
    },
  ],
  getFrame: [
    {
      input: 'frame that names 16,000 resources, 20 at once',
      run: read((_, { namingFrame }) => `/v1/frames/${namingFrame}`, LISTS),
    },
  ],
  getFrameImage: [
    {
      input: 'largest, 20 at once',
      run: read(({ frames }) => `/v1/frames/${frames.largest}/image`, LISTS),
    },
    {
      input: 'largest, 100 clients that read nothing',
      run: stall(({ frames }) => `/v1/frames/${frames.largest}/image`),
    },
    {
      input: 'largest with bins drawn, 12 at once',
      run: read(({ frames }) => `/v1/frames/${frames.largest}/image?bins=owner`, DRAWN_AT_ONCE),
    },
  ],
  getFrameReport: [
    {
      input: '1,024 bins, 1,024 chiplets, 20 at once',
      run: read(({ frames }) => `/v1/frames/${frames.widest}/report`, LISTS),
    },
    {
      input: 'the same, 100 clients that read nothing',
      run: stall(({ frames }) => `/v1/frames/${frames.widest}/report`),
    },
  ],
  getFrameTimeline: [
    {
      input: '1,024 bins, 1,024 chiplets, 20 at once',
      run: read(({ frames }) => `/v1/frames/${frames.widest}/timeline`, LISTS),
    },
  ],
  getFrameMeasurement: [
    {
      input: '1,024 bins, 20 at once',
      run: read(({ frames }) => `/v1/frames/${frames.widest}/measurement`, LISTS),
    },
    {
      input: 'the same, 100 clients that read nothing',
      run: stall(({ frames }) => `/v1/frames/${frames.widest}/measurement`),
    },
  ],
  getFrameHeatMap: [
    {
      input: 'largest image by pixel, 12 at once',
      run: read(
        ({ frames }) => `/v1/frames/${frames.largest}/heatmap?metric=overdraw`,
        DRAWN_AT_ONCE,
      ),
    },
  ],
  getPixelHistory: [
    {
      input: 'largest image, 12 at once',
      run: read(({ frames }) => `/v1/frames/${frames.largest}/pixels/100/100`, DRAWN_AT_ONCE),
    },
  ],
  listFrameDraws: [
    {
      input: '1,024 bins, 12 at once',
      run: read(({ frames }) => `/v1/frames/${frames.widest}/draws`, DRAWN_AT_ONCE),
    },
  ],
  listFrameShaders: [
    {
      input: '1,024 bins, 12 at once',
      run: read(({ frames }) => `/v1/frames/${frames.widest}/shaders`, DRAWN_AT_ONCE),
    },
  ],
  getShaderProfile: [
    {
      input: 'largest image, 12 at once',
      run: read(({ frames }) => `/v1/frames/${frames.largest}/shaders/0`, DRAWN_AT_ONCE),
    },
  ],
  watchFrame: [
    {
      input: '256 streams that read nothing, 20 frames',
      run: watch(({ frames }) => `/v1/frames/${frames.small}/events`),
    },
  ],
  watchService: [
    {
      input: '256 streams that read nothing, 20 frames',
      run: watch(() => '/v1/events'),
    },
    {
      input: 'events from the beginning, 256 streams',
      run: watch(() => '/v1/events', { 'Last-Event-ID': '0' }),
    },
  ],
  postSequence: [
    {
      input: '1,000 frames of 256 bins on 32 chiplets without coupling',
      run: async (service, state) => {
        const frames = copies(service.frames.middle, SEQUENCE_FRAMES);
        state.sequence = await postSequence(service, frames, `chiplets=${SEQUENCE_CHIPLETS}`);
      },
    },
    {
      input: '1,000 frames of 256 bins on 32 coupled chiplets, until the time limit',
      run: async (service) => {
        const frames = copies(service.frames.coupled, SEQUENCE_FRAMES);
        const posted = postSequence(service, frames, `chiplets=${SEQUENCE_CHIPLETS}`);
        const failure = await posted.then(() => null, String);
        if (!failure?.includes('took longer than')) throw new Error(failure ?? 'no time limit');
      },
    },
    {
      input: '7 frames of 1,024 bins on 1,024 chiplets in a ring',
      run: async (service) => {
        const frames = copies(service.frames.widest, FRAMES_ON_MOST_CHIPLETS);
        await postSequence(service, frames, WIDE_SEQUENCE);
      },
    },
    {
      input: '64 sequences of 1,000 frames that wait for one frame',
      run: async (service) => {
        const frames = [
          ...copies(service.frames.small, SEQUENCE_FRAMES - 1),
          await rerender(service),
        ];
        await times(RUNNING_SEQUENCES, () => postSequence(service, frames, 'chiplets=4'));
      },
    },
  ],
  listSequences: [
    { input: 'all stored, 20 at once', run: read(() => '/v1/sequences?limit=200', LISTS) },
    {
      input: 'all stored, 100 clients that read nothing',
      run: stall(() => '/v1/sequences?limit=200'),
    },
  ],
  getSequence: [
    {
      input: '1,000 frames, 20 at once',
      run: read((_, { sequence }) => `/v1/sequences/${sequence}`, LISTS),
    },
  ],
  getSequenceReport: [
    {
      input: '1,000 frames, 20 at once',
      run: read((_, { sequence }) => `/v1/sequences/${sequence}/report`, LISTS),
    },
  ],
  getSequenceTimeline: [
    {
      input: '1,000 frames of 256 bins, 20 at once',
      run: read((_, { sequence }) => `/v1/sequences/${sequence}/timeline`, LISTS),
    },
    {
      input: '5 frames of 1,024 bins on 1,024 chiplets in a ring, 20 at once',
      run: async (service) => {
        const frames = copies(service.frames.widest, FRAMES_OF_LONGEST_TIMELINE);
        const id = await postSequence(service, frames, WIDE_SEQUENCE);
        await times(LISTS, () => drain(service, `/v1/sequences/${id}/timeline`));
      },
    },
  ],
  getSequenceImages: [
    {
      input: 'archive of 80 of the largest images',
      run: async (service) => {
        const frames = copies(service.frames.largest, ARCHIVED);
        const id = await postSequence(service, frames, 'chiplets=4');
        await drain(service, `/v1/sequences/${id}/images`);
      },
    },
    {
      input: 'archive of 1,000, 100 clients that read nothing',
      run: stall((_, { sequence }) => `/v1/sequences/${sequence}/images`),
    },
  ],
  labelSequence: [
    {
      input: 'a name and tags of the greatest length, 100 at once',
      run: (service, { sequence }) =>
        times(READERS, () => label(service, `/v1/sequences/${sequence}`)),
    },
  ],
  deleteSequence: [
    {
      input: '1,000 frames',
      run: async (service, { sequence }) => {
        await drain(service, `/v1/sequences/${sequence}`, 'DELETE');
      },
    },
  ],
  postStudy: [
    {
      input: '64 numbers up to 1,024 chiplets, 1,024 bins',
      run: async (service) => {
        await postStudy(service, {
          frames: [service.frames.widest],
          chiplets: range(MAX_SWEPT, MAX_CHIPLETS - MAX_SWEPT + 1),
          bins: [MAX_CHIPLETS],
          coupling: 'none',
        });
      },
    },
    {
      input: '98,304 rows',
      run: async (service, state) => {
        const frames = [await rerender(service), await rerender(service), service.frames.small];
        state.study = await postStudy(service, {
          frames,
          chiplets: range(MAX_SWEPT),
          policies: POLICY_NAMES.slice(0, SWEPT_POLICIES),
          bins: range(MAX_SWEPT / 2),
          visibility: ['minimal', 'full'],
        });
      },
    },
  ],
  listStudies: [{ input: 'all stored, 20 at once', run: read(() => '/v1/studies', LISTS) }],
  getStudy: [
    {
      input: '98,304 rows, 20 at once',
      run: read((_, { study }) => `/v1/studies/${study}`, LISTS),
    },
    {
      input: '98,304 rows, 100 clients that read nothing',
      run: stall((_, { study }) => `/v1/studies/${study}`),
    },
  ],
  listStudyRows: [
    {
      input: 'the most rows of a page, 100 at once',
      run: read((_, { study }) => `/v1/studies/${study}/rows?from=50000&limit=500`, READERS),
    },
  ],
  getStudySeries: [
    {
      input: '98,304 rows, 20 at once',
      run: read((_, { study }) => `/v1/studies/${study}/series?figure=speedUp`, LISTS),
    },
  ],
  getStudyParquet: [
    {
      input: '98,304 rows, 100 clients that read nothing',
      run: stall((_, { study }) => `/v1/studies/${study}/results.parquet`),
    },
  ],
  getStudyCsv: [
    {
      input: '98,304 rows, 20 at once',
      run: read((_, { study }) => `/v1/studies/${study}/results.csv`, LISTS),
    },
  ],
  getStudyPlot: [
    {
      input: '98,304 rows, 20 at once',
      run: read((_, { study }) => `/v1/studies/${study}/plots/speedUp`, LISTS),
    },
  ],
  watchStudy: [
    {
      input: '256 streams that read nothing, 20 frames',
      run: watch((_, { study }) => `/v1/studies/${study}/events`),
    },
  ],
  deleteStudy: [
    {
      input: '98,304 rows',
      run: async (service, { study }) => {
        await drain(service, `/v1/studies/${study}`, 'DELETE');
      },
    },
  ],
  labelFrame: [
    {
      input: 'a name and tags of the greatest length, 100 at once',
      run: (service) => times(READERS, () => label(service, `/v1/frames/${service.frames.small}`)),
    },
  ],
  deleteFrame: [
    {
      input: 'the last frame that names 16,000 resources',
      run: async (service) => {
        const response = await fetch(`${service.url}/v1/frames?limit=200`, {
          headers: service.headers,
        });
        const { frames } = (await response.json()) as { frames: readonly { id: string }[] };
        for (const { id } of frames) await drain(service, `/v1/frames/${id}`, 'DELETE');
      },
    },
  ],
};
