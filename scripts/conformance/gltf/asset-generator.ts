/**
 * Renders the models of the glTF Asset Generator (KhronosGroup/glTF-Asset-Generator, folder
 * `Output`) in both qualities, and compares what is accepted with its manifests.
 *
 * A model that its manifest calls loadable must be imported without warnings of what the image
 * lacks, and draw something. Others, and those of the folder `Negative`, must be refused by name
 * (MODEL_UNSUPPORTED) or with a message that begins with a place.
 *
 * `npm run conformance:gltf-generator -- FOLDER`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { readModel } from '@tessera/experiments/read-model';
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, type ModelLook, openGltf } from '@tessera/scenes';

const SIZE = { widthPx: 64, heightPx: 64 };
/** Times of animations, in seconds. */
const TIMES = [0, 0.7, 2.2];
/** A place such as `meshes[0].primitives[1].attributes`. */
const PLACE = /^[a-zA-Z]+(\[\d+\])?[.:]/;
/** Message about a file that the copy of the models lacks. */
const ABSENT = /: cannot be read$/;
/** Loadable models in which nothing is visible: all alpha is below the cutoff of 1.1. */
const INVISIBLE = ['Material_AlphaMask_03.gltf'];
/** Warning that a manifest intends. */
const INTENDED = /^KHR_materials_pbrSpecularGlossiness: ignored in simple quality$/;

type Outcome = 'drawn' | 'empty' | 'warned' | 'refused' | 'unsupported' | 'absent' | 'failed';

interface Result {
  readonly outcome: Outcome;
  readonly message: string;
}

interface Manifest {
  readonly models: readonly { readonly fileName: string; readonly loadable: boolean }[];
}

const gpu = new LocalGpu({ chipletCount: 1 });

/** Renders a model in both qualities at all times. */
async function tryModel(path: string, look: ModelLook): Promise<Result> {
  try {
    const importFrame = await openGltf(await readModel(path));
    for (const quality of [{}, { look }]) {
      for (const timeSeconds of TIMES) {
        const { frame, warnings } = await importFrame({ ...SIZE, ...quality, timeSeconds });
        const lacking = warnings.filter((warning) => !INTENDED.test(warning));
        if (lacking.length > 0) return { outcome: 'warned', message: lacking.join('; ') };
        const rgba = new Uint32Array(gpu.renderNow(frame).image!.rgba.slice().buffer);
        // The corner shows the background.
        if (rgba.every((pixel) => pixel === rgba[0])) {
          return { outcome: 'empty', message: `at ${timeSeconds} s` };
        }
      }
    }
    return { outcome: 'drawn', message: '' };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    if (name !== 'RenderError') return { outcome: 'failed', message: `${name}: ${message}` };
    if (code === 'MODEL_UNSUPPORTED') return { outcome: 'unsupported', message };
    if (ABSENT.test(message)) return { outcome: 'absent', message };
    return { outcome: PLACE.test(message) ? 'refused' : 'failed', message };
  }
}

/** Runs the models of all manifests of a folder and prints how the outcomes compare. */
async function main(folder: string): Promise<void> {
  const dim = { widthPx: 8, heightPx: 4, rgb: new Float32Array(96).fill(0.5) };
  const environment = filterEnvironment({ kind: 'panorama', image: dim }, (frame) =>
    gpu.renderNow(frame),
  );
  const look: ModelLook = {
    environment: { kind: 'filtered', environment },
    background: { kind: 'color', rgb: [0.1, 0.2, 0.3] },
    exposure: 1,
    toneMapping: 'neutral',
    hasShadows: true,
    hasGroundShadow: false,
    samples: 1,
  };
  const counts = new Map<string, number>();
  const differences: string[] = [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names.filter((one) => one.endsWith('Manifest.json'))) {
    const manifest: Partial<Manifest> = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const isNegative = resolve(folder, name).split(sep).includes('Negative');
    for (const { fileName, loadable } of manifest.models ?? []) {
      const path = join(dirname(name), fileName);
      const { outcome, message } = await tryModel(join(folder, path), look);
      const isValid = loadable && !isNegative;
      const key = `${isValid ? 'loadable' : 'not loadable'}, ${outcome}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const drawn: Outcome = INVISIBLE.includes(fileName) ? 'empty' : 'drawn';
      const expected: readonly Outcome[] = isValid ? [drawn] : ['refused', 'unsupported'];
      if (!expected.includes(outcome)) differences.push(`${path}: ${key}: ${message}`);
    }
  }
  for (const [key, count] of [...counts].sort()) console.log(`${key}: ${count}`);
  console.log(`${differences.length} differences`);
  for (const difference of differences) console.log(difference);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run conformance:gltf-generator -- FOLDER');
  process.exitCode = 2;
} else if (existsSync(folder)) {
  await main(resolve(folder));
} else {
  console.log(`skipped: ${folder} does not exist`);
}
