/**
 * A service renders all captures, models, native frames and WebGL programs twice in random order.
 * For each frame, it returns the same result as a new thread: the pixels, and the report except for
 * wall time. State that a frame leaves in the preparer, the chiplets or their caches must not
 * change later frames.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Report, toNativeJson } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { RunningProgram } from '@tessera/webgl/program-runner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCENES } from '../conformance/opengl/scenes.ts';
import { SCENE_FRAME } from '../conformance/opengl/writer/scene-writer.ts';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { decodePng } from '../support/compare-images.ts';
import { type FrameInput, RENDERED_WITH, renderFresh } from '../support/fresh-render.ts';
import { recordPosts } from '../support/record-posts.ts';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';
import { captureClearedParts } from './cleared-parts.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const MODELS = join(ROOT, 'test/golden/models');
const EXAMPLES = join(ROOT, 'packages/webgl/examples');
const SHARED = resolve(ROOT, '../shared');
/** Seed of the order, to be changed manually. */
const SEED = 20_531;
/** Number of frames rendered concurrently. */
const LANES = 2;
/** Number of frames per frame with cycle timing. */
const CYCLE_STRIDE = 5;

/** Captures whose path ends so: those of small windows, or all with TESSERA_LONG_LIVED=all. */
const CAPTURES = process.env.TESSERA_LONG_LIVED === 'all' ? 'trace.trace' : '200x150/trace.trace';

const MEDIA_TYPES = {
  model: 'model/gltf-binary',
  capture: 'application/vnd.apitrace',
  native: 'application/json',
} as const;
const PICTURE = {
  widthPx: 120,
  heightPx: 90,
  frameIndex: 0,
  contentsFolder: '',
  timing: 'functional',
} as const;

interface Served {
  readonly rgba: Uint8Array;
  readonly report: Report;
}

async function listOwnInputs(folder: string, serviceUrl: string): Promise<FrameInput[]> {
  const write = (name: string, contents: Uint8Array | string) => {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  };
  const inputs: Omit<FrameInput, 'timing'>[] = readdirSync(MODELS)
    .filter((name) => name.endsWith('.glb'))
    .map((name) => ({ ...PICTURE, kind: 'model', path: join(MODELS, name) }));
  for (const [name, make] of Object.entries(GOLDEN_SCENES)) {
    const path = write(`${name}.json`, toNativeJson(await make()));
    inputs.push({ ...PICTURE, kind: 'native', path });
  }
  const cleared = { name: 'cleared-parts', capture: captureClearedParts };
  for (const { name, capture } of [...SCENES, cleared]) {
    const path = write(`${name}.trace`, capture());
    inputs.push({ ...PICTURE, kind: 'capture', path, frameIndex: SCENE_FRAME });
  }
  for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith('.mjs'))) {
    const path = write(
      `${name}.json`,
      await recordProgram(join(EXAMPLES, name), serviceUrl, write),
    );
    inputs.push({ ...PICTURE, kind: 'native', path, contentsFolder: folder });
  }
  return inputs.map((input, index) => ({
    ...input,
    timing: index % CYCLE_STRIDE === 0 ? 'cycle' : 'functional',
  }));
}

/**
 * Returns the first frame of a WebGL program in the posted form. Uploads the contents that the
 * frame names to the service and writes them to files.
 */
async function recordProgram(
  path: string,
  serviceUrl: string,
  write: (name: string, contents: Uint8Array) => unknown,
): Promise<Uint8Array> {
  const recorder = await recordPosts(serviceUrl);
  const { widthPx, heightPx } = PICTURE;
  const parameters = { timing: 'functional' } as const;
  const backEnd = { kind: 'service', service: { url: recorder.url, parameters } } as const;
  const program = await RunningProgram.start({ path, widthPx, heightPx, backEnd });
  try {
    await program.drawFrame(0);
    await program.takeFrame();
  } finally {
    program.close();
    recorder.close();
  }
  for (const [sha256, contents] of recorder.resources) write(sha256, contents);
  return recorder.frames.at(-1)!;
}

/** Returns captures, and models of one file. */
function listSharedInputs(): FrameInput[] {
  const inFolder = (folder: string, ending: string) => {
    const path = join(SHARED, folder);
    return existsSync(path)
      ? readdirSync(path, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith(ending))
          .map((name) => join(path, name))
          .sort()
      : [];
  };
  return [
    ...inFolder('captures', CAPTURES).map((path) => ({
      ...PICTURE,
      kind: 'capture' as const,
      path,
    })),
    ...inFolder('models', '.glb').map((path) => ({ ...PICTURE, kind: 'model' as const, path })),
  ];
}

/** Returns each input twice, in random order. */
function shuffleTwice(inputs: readonly FrameInput[], seed: number): FrameInput[] {
  const random = seededRandom(seed);
  const order = [...inputs, ...inputs];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.integer(0, at);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/** Runs the work for all inputs, started in order, a few concurrently. */
async function inLanes<Work>(all: readonly Work[], work: (one: Work) => Promise<void>) {
  const queue = all.values();
  const lane = async () => {
    for (const one of queue) await work(one);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function opaque(rgba: Uint8Array): Uint8Array {
  return rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
}

describe('a service that has seen everything twice', () => {
  let folder: string;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tessera-inputs-'));
    ({ url } = await startTestService({ workerCount: 1 }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function serve({
    kind,
    path,
    widthPx,
    heightPx,
    frameIndex,
    timing,
  }: FrameInput): Promise<Served> {
    const { chipletCount, grid, policy, visibilityShader } = RENDERED_WITH;
    const query = new URLSearchParams({
      chiplets: `${chipletCount}`,
      bins: `${grid.count}`,
      policy,
      timing,
      visibility: visibilityShader,
      ...(kind === 'model'
        ? { width: `${widthPx}`, height: `${heightPx}`, quality: 'simple' }
        : {}),
      ...(kind === 'capture' ? { frame: `${frameIndex}` } : {}),
    });
    const response = await postModel(url, readFileSync(path), `?${query}`, {
      'Content-Type': MEDIA_TYPES[kind],
    });
    const report = (await response.json()) as Report;
    expect(response.status, `${path}: ${JSON.stringify(report).slice(0, 500)}`).toBe(200);
    const image = await fetch(`${url}${response.headers.get('location')}/image`);
    const { rgba } = decodePng(Buffer.from(await image.arrayBuffer()));
    return { rgba, report };
  }

  async function compareAll(inputs: readonly FrameInput[]): Promise<void> {
    const served = new Map<string, Served[]>(inputs.map(({ path }) => [path, []]));
    const order = shuffleTwice(inputs, SEED);
    const at = ({ path, timing }: FrameInput) =>
      `seed ${SEED}, ${path} (${timing}), frame ${order.findIndex((one) => one.path === path)} of ${order.length}`;
    await inLanes(order, async (input) => {
      served.get(input.path)!.push(await serve(input));
    });
    await inLanes(inputs, async (input) => {
      const fresh = await renderFresh(input);
      for (const { rgba, report } of served.get(input.path)!) {
        const isSame = Buffer.compare(opaque(rgba), opaque(fresh.image.rgba)) === 0;
        expect(isSame, `${at(input)}: pixels`).toBe(true);
        expect({ ...report, wall: null }, at(input)).toEqual({ ...fresh.report, wall: null });
      }
    });
  }

  it('gives the same results as a new thread: models, native frames, OpenGL scenes, WebGL programs', async () => {
    const inputs = await listOwnInputs(folder, url);
    expect(inputs.length).toBeGreaterThan(40);
    await compareAll(inputs);
  }, 900_000);

  const shared = listSharedInputs();
  it.skipIf(shared.length === 0)(
    'gives what a fresh thread gives: captures and models beside the repository',
    () => compareAll(shared),
    CAPTURES === 'trace.trace' ? 3_600_000 : 600_000,
  );
});
