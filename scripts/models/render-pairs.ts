/**
 * `npm run models:pairs -- --models DIR [--out DIR]`: renders six models in simple and in full
 * quality, side by side, for README and the documents.
 *
 * DIR has the folders of Khronos' sample models.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFrame } from '@tessera/experiments/read-frame';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';

/** Models and the azimuth of the camera in degrees. */
const MODELS: Readonly<Record<string, number>> = {
  ToyCar: 35,
  SheenChair: 30,
  WaterBottle: 25,
  GlamVelvetSofa: 30,
  GlassHurricaneCandleHolder: 0,
  IridescenceLamp: 20,
};
const SIZE = { widthPx: 420, heightPx: 360 } as const;

const { values } = parseArgs({
  options: { models: { type: 'string' }, out: { type: 'string', default: 'docs/images' } },
});
if (values.models === undefined) throw new Error('--models DIR is missing');
mkdirSync(values.out, { recursive: true });

const gpu = new LocalGpu();
for (const [name, azimuth] of Object.entries(MODELS)) {
  const path = join(values.models, name, 'glTF', `${name}.gltf`);
  const orbit = `${azimuth},15`;
  const before = await render(path, { quality: 'simple', orbit });
  const after = await render(path, { orbit, ground: 'shadow' });
  writeFileSync(join(values.out, `model-${name}.png`), await encodePng(sideBySide(before, after)));
}

async function render(path: string, modelOptions: Readonly<Record<string, string>>) {
  const { frame } = await readFrame(path, { ...SIZE, modelOptions }, gpu.programs);
  return (await gpu.render(frame, { timing: 'functional' })).image;
}

function sideBySide(left: Image, right: Image): Image {
  const { widthPx, heightPx } = left;
  const rgba = new Uint8Array(2 * widthPx * heightPx * 4);
  for (let y = 0; y < heightPx; y++) {
    const from = y * widthPx * 4;
    rgba.set(left.rgba.subarray(from, from + widthPx * 4), 2 * from);
    rgba.set(right.rgba.subarray(from, from + widthPx * 4), 2 * from + widthPx * 4);
  }
  return { widthPx: 2 * widthPx, heightPx, rgba };
}
