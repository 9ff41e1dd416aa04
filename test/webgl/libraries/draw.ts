/**
 * Draws a library program in a process of its own, because libraries leave timers and ports open:
 * `node test/webgl/libraries/draw.ts NAME BACK-END…`. A back end is a number of chiplets in this
 * process, or the address of a service. All have cycle timing. Prints the image of each, as
 * {@link DrawnImage}.
 */
import { join } from 'node:path';
import type { ProgramBackEnd } from '@tessera/webgl/program-runner';
import { renderExample } from '../../../scripts/webgl/render-example.ts';
import { frameOf, SIZE } from './programs.ts';

/** Image of one back end: size in pixels, and Base64 of 4 bytes per pixel from the top row. */
export type DrawnImage = readonly [widthPx: number, heightPx: number, rgba: string];

const [name, ...backEnds] = process.argv.slice(2);
const images: DrawnImage[] = [];
for (const backEnd of backEnds.map(parseBackEnd)) {
  const path = join(import.meta.dirname, `${name}.mjs`);
  const options = { ...SIZE, frameIndex: frameOf(name), backEnd, isIdleFirst: true };
  const { image } = await renderExample(path, options);
  // Images of a service have no alpha.
  const rgba = image.rgba.map((value, at) => (at % 4 === 3 ? 255 : value));
  images.push([image.widthPx, image.heightPx, rgba.toBase64()]);
}
process.stdout.write(`\n${JSON.stringify(images)}\n`, () => process.exit());

function parseBackEnd(text: string): ProgramBackEnd {
  if (text.startsWith('http')) {
    const parameters = { chiplets: 5, timing: 'cycle' } as const;
    return { kind: 'service', service: { url: text, parameters } };
  }
  return { kind: 'in-process', gpu: { chipletCount: Number(text), timing: 'cycle' } };
}
