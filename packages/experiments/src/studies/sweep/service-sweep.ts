/** Runs a sweep on a service: posts the scenes, posts the study, waits for its rows. */
import type { CallOptions, TesseraClient } from '@tessera/client';
import { DEFAULT_OPTIONS, RenderError, type SpecSummary } from '@tessera/frame';
import { MAX_AXIS_VALUES, type StudyRow } from '@tessera/study';
import { benchmarkSceneOf } from '../../inputs/benchmark-scene.ts';
import { isCapture } from '../../inputs/read-capture.ts';
import { readPostedBody } from '../../inputs/read-posted-body.ts';
import { frameFailure } from '../../inputs/service-options.ts';
import { ProgressBar, withProgress } from '../../terminal/progress-bar.ts';
import { printNote } from '../../terminal/terminal-output.ts';
import type { SceneFile } from '../scenes/scene-files.ts';
import { DEFAULT_CHIPLETS, type GivenAxes } from './sweep-options.ts';

/** Sweep for a service. */
export interface ServiceSweep {
  readonly title: string;
  readonly axes: GivenAxes;
  /** Names of specifications, or their descriptions. */
  readonly specs: readonly unknown[] | undefined;
  readonly scenes: readonly SceneFile[];
}

type StudyBody = NonNullable<CallOptions<'postStudy'>['body']>['value'];

/**
 * Runs a sweep. Scenes that the service refuses are reported and skipped. More scenes than one
 * study may have become several studies.
 *
 * @returns Rows with the names of the scenes.
 * @throws {TesseraError} Errors of the service. @throws {RenderError} If a study fails.
 */
export async function sweepOnService(
  client: TesseraClient,
  { title, axes, specs, scenes }: ServiceSweep,
): Promise<Partial<StudyRow>[]> {
  const nameById = new Map<string, string>();
  for (const scene of withProgress(scenes, ({ name }) => `sending ${name}`)) {
    const id = await postScene(client, scene, axes);
    if (id !== null) nameById.set(id, scene.name);
  }
  if (nameById.size === 0) throw new RenderError('REQUEST_INVALID', 'no scene could be read');
  const ids = [...nameById.keys()];
  const rows: Partial<StudyRow>[] = [];
  for (let from = 0; from < ids.length; from += MAX_AXIS_VALUES) {
    const frames = ids.slice(from, from + MAX_AXIS_VALUES);
    for (const row of await runStudy(client, bodyOf({ title, axes, specs, frames }))) {
      rows.push({ ...row, scene: nameById.get(row.frame!) ?? row.scene! });
    }
  }
  return rows;
}

/** Returns the specifications that a service knows. */
export async function listServiceSpecs(client: TesseraClient): Promise<SpecSummary[]> {
  const { specs } = (await client.call('listSpecs')).value;
  // The document of the service has the form of a specification.
  return specs.flatMap(({ spec }) => (spec === null ? [] : [spec as unknown as SpecSummary]));
}

/**
 * Posts a scene. It is rendered once without cycles, which is fast and shows that it can be
 * rendered.
 *
 * @returns Id of its frame, or null if the service refuses it.
 */
async function postScene(
  client: TesseraClient,
  { name, path }: SceneFile,
  { sizes, frameIndices }: GivenAxes,
): Promise<string | null> {
  const [size] = sizes ?? [];
  const [frame] = frameIndices ?? [];
  // A scene of the benchmark set is a native frame, which has its size within.
  const isScene = benchmarkSceneOf(path) !== null;
  const ownOfFile = (await isCapture(path))
    ? { frame }
    : { width: size?.widthPx, height: size?.heightPx };
  const own = isScene ? {} : ownOfFile;
  const parameters = { ...withoutMissing(own), name, timing: 'functional' } as const;
  try {
    const body = await readPostedBody(path, DEFAULT_OPTIONS);
    const { value, status } = await client.call('postFrame', { body, parameters });
    if (status !== 202) throw new Error(`the service answered with status ${status}; expected 202`);
    return value.id;
  } catch (error) {
    if (!isAboutScene(error)) throw error;
    printNote(`${name}: skipped: ${(error as Error).message}\n`);
    return null;
  }
}

/** Returns whether an error is about a scene's content. Any other would occur with every scene. */
function isAboutScene(error: unknown): boolean {
  if (error instanceof RenderError) return true;
  const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
  return status === 422 || code === 'LIMIT_EXCEEDED' || code === 'MODEL_INVALID';
}

function bodyOf({
  title,
  axes,
  specs,
  frames,
}: Omit<ServiceSweep, 'scenes'> & { readonly frames: readonly string[] }): StudyBody {
  const { sizes, chiplets = DEFAULT_CHIPLETS, ...others } = axes;
  const body = {
    ...others,
    title,
    frames,
    chiplets,
    specs,
    sizes: sizes?.map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`),
  };
  // Names are checked by the service, whose document lists them.
  return withoutMissing(body) as unknown as StudyBody;
}

/** Posts a study, waits until it is over, and returns its rows. */
async function runStudy(client: TesseraClient, value: StudyBody): Promise<Partial<StudyRow>[]> {
  const body = { mediaType: 'application/json', value } as const;
  const posted = await client.call('postStudy', { body });
  const { id } = posted.value;
  const parameters = { id };
  const bar = new ProgressBar();
  try {
    let { status } = posted.value;
    while (status === 'running') {
      // A stream that ends early is opened again.
      for await (const { name, body: event } of client.events('watchStudy', { parameters })) {
        if (name !== 'study') continue;
        // The OpenAPI document guarantees this type.
        const { progress } = event as typeof posted.value;
        bar.update(progress.done, progress.total, `study ${id}`);
      }
      ({ status } = (await client.call('getStudy', { parameters })).value);
    }
  } finally {
    bar.end();
  }
  const study = (await client.call('getStudy', { parameters })).value;
  if (study.status !== 'done') {
    const { message } = frameFailure(study.error);
    throw new RenderError('REQUEST_INVALID', `study ${id}: ${study.status}: ${message}`);
  }
  // Rows of this version; the document of the service names their fields.
  return study.rows as unknown as Partial<StudyRow>[];
}

function withoutMissing<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Fields; // Only optional fields may be missing.
}
