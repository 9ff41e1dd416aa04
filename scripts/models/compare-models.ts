/**
 * `npm run models:three -- --models DIR --environment FILE.hdr [--size W×H] [--samples N]
 * [--background environment|R,G,B] [NAME …]`: draws models with Tessera in full quality and with
 * three.js in Debian's Chromium, with the same camera, environment and tone mapping, and compares
 * the images.
 *
 * DIR has a folder for each model, with the files of one or more variants, such as `glTF` and
 * `glTF-Binary`. A name may name a variant too, as `Duck/glTF-Draco`. Prints a table, and writes it
 * to out/models with the images and their differences.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareImages, showDifference } from '@tessera/experiments/image-comparison';
import { readModel } from '@tessera/experiments/read-model';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { filterEnvironment, importGltf, readRadianceHdr } from '@tessera/scenes';
import { findChromium } from '../webgl/chromium-images.ts';
import { ThreeRenderer } from './three-renderer.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    models: { type: 'string' },
    environment: { type: 'string' },
    size: { type: 'string', default: '512x512' },
    background: { type: 'string', default: 'environment' },
    'tone-mapping': { type: 'string', default: 'neutral' },
    samples: { type: 'string', default: '4' },
    out: { type: 'string', default: 'out/models' },
  },
});
if (values.models === undefined) throw new Error('--models DIR is missing');
if (values.environment === undefined) throw new Error('--environment FILE is missing');
const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
const [widthPx, heightPx] = values.size.split(/[x×]/).map(Number) as [number, number];
const background =
  values.background === 'environment'
    ? null
    : (values.background.split(',').map(Number) as [number, number, number]);
const toneMapping = values['tone-mapping'] as 'neutral';
mkdirSync(values.out, { recursive: true });

const gpu = new LocalGpu({ chipletCount: 1 });
const panorama = readRadianceHdr(readFileSync(values.environment), { maxPixels: 2 ** 26 });
const environment = filterEnvironment({ kind: 'panorama', image: panorama }, (frame) =>
  gpu.renderNow(frame),
);
const three = await ThreeRenderer.start(executablePath, {
  environmentPath: values.environment,
  widthPx,
  heightPx,
  toneMapping,
  isAntialiased: values.samples !== '1',
});
const rows: { name: string; over8: number | null; over2: number | null; note: string }[] = [];
try {
  for (const name of positionals.length > 0 ? positionals : readdirSync(values.models).sort()) {
    const path = findModel(join(values.models, name));
    if (path !== null) await compareModel(name, path);
  }
} finally {
  await three.close();
}
const shares = rows.flatMap(({ over8 }) => over8 ?? []).sort((a, b) => a - b);
const median = shares[shares.length >> 1] ?? 0;
process.stdout.write(
  `${shares.length} of ${rows.length} models compared, off by more than 8: median ${percent(median)}, worst ${percent(shares.at(-1) ?? 0)}\n`,
);

/** Returns the file of a model: of the named variant, or of the first one. */
function findModel(folder: string): string | null {
  const files = (at: string) =>
    readdirSync(at)
      .filter((file) => /\.(glb|gltf)$/i.test(file))
      .map((file) => join(at, file));
  const variants = ['glTF-Binary', 'glTF'].map((variant) => join(folder, variant));
  return (
    [folder, ...variants]
      .filter((at) => statSync(at, { throwIfNoEntry: false })?.isDirectory())
      .flatMap(files)[0] ?? null
  );
}

async function compareModel(name: string, path: string): Promise<void> {
  const file = name.replaceAll('/', '-');
  try {
    const { frame, view } = await importGltf(await readModel(path), {
      widthPx,
      heightPx,
      look: {
        environment: { kind: 'filtered', environment },
        background:
          background === null ? { kind: 'environment' } : { kind: 'color', rgb: background },
        exposure: 1,
        toneMapping,
        hasShadows: false, // as in the page of three.js
        samples: Number(values.samples),
      },
    });
    const started = process.cpuUsage();
    const { image } = gpu.renderNow(frame);
    const { user, system } = process.cpuUsage(started);
    const { viewMatrix, projectionMatrix } = view;
    const reference = await three.draw({
      modelPath: path,
      viewMatrix,
      projectionMatrix,
      background,
    });
    await writeImage(`${file}.tessera.png`, image!);
    await writeImage(`${file}.three.png`, reference);
    await writeImage(`${file}.difference.png`, showDifference(image!, reference));
    const { pixels, over2, over8 } = compareImages(image!, reference);
    addRow(name, over8 / pixels, over2 / pixels, `${((user + system) / 1000).toFixed(0)} ms`);
  } catch (error) {
    addRow(name, null, null, (error as Error).message.split('\n').slice(0, 3).join(' '));
  }
}

function addRow(name: string, over8: number | null, over2: number | null, note: string): void {
  rows.push({ name, over8, over2, note });
  const figures = over8 === null ? '' : `> 8: ${percent(over8)}  > 2: ${percent(over2!)}`;
  process.stdout.write(`${name.padEnd(36)} ${figures}  ${note}\n`);
  const table = rows.map(
    (row) =>
      `| ${row.name} | ${row.over8 === null ? '' : percent(row.over8)} | ${row.over2 === null ? '' : percent(row.over2)} | ${row.note} |`,
  );
  const head = [
    '| model | off by more than 8 | by more than 2 | note |',
    '| --- | --- | --- | --- |',
  ];
  writeFileSync(join(values.out, 'results.md'), `${[...head, ...table].join('\n')}\n`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(3)} %`;
}

async function writeImage(name: string, image: Image): Promise<void> {
  writeFileSync(join(values.out, name), await encodePng(image));
}
