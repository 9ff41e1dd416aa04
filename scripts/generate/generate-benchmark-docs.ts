/**
 * Writes the tables of docs/benchmark-set.md, which a test compares with the code, and an image of
 * each scene into docs/images. `npm run docs:benchmark` runs this file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Image } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { BENCHMARK_SET, benchmarkFrame } from '@tessera/scenes';
import jpeg from 'jpeg-js';
import { markdownTable, replaceBetween } from './generated-tables.ts';

const DOCS = resolve(import.meta.dirname, '../../docs');
const DOCUMENT = resolve(DOCS, 'benchmark-set.md');
/** Scenes that look unlike all others. */
const SHOWN = [
  'city-cascades',
  'market-deferred',
  'gallery-draws',
  'valley-1m',
  'asteroids-instanced',
  'meadow-sorted',
] as const;
const IMAGE_SIZE = { widthPx: 480, heightPx: 270 } as const;
/** Rendered pixels along each edge of a pixel of the image. */
const SCALE = 3;
const LARGEST_BYTES = 60_000;
const QUALITIES = [88, 82, 76, 70, 62, 54, 46] as const;

/** Returns the document with its tables as the code has them. */
export function writeBenchmarkTables(text: string): string {
  const scenes = Object.entries(BENCHMARK_SET);
  const written = replaceBetween(
    DOCUMENT,
    text,
    'scenes',
    markdownTable(
      ['name', 'what it exercises', 'passes', 'draws', 'triangles'],
      scenes.map(([name, { exercises, passes, draws, triangles }]) => [
        ...[`\`${name}\``, exercises, String(passes), draws.toLocaleString('en')],
        triangles.toLocaleString('en'),
      ]),
    ),
  );
  return replaceBetween(
    DOCUMENT,
    written,
    'hashes',
    markdownTable(
      ['name', 'SHA-256 of the frame at 1280×720'],
      scenes.map(([name, { frameSha256 }]) => [`\`${name}\``, `\`${frameSha256}\``]),
    ),
  );
}

async function writeImages(): Promise<void> {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const size = { widthPx: IMAGE_SIZE.widthPx * SCALE, heightPx: IMAGE_SIZE.heightPx * SCALE };
  for (const name of SHOWN) {
    const { image } = await gpu.render(benchmarkFrame(name, size), { timing: 'functional' });
    writeFileSync(resolve(DOCS, `images/benchmark-${name}.jpg`), encodeSmall(reduce(image)));
  }
}

/** Returns the mean of each square of {@link SCALE} pixels. */
function reduce({ widthPx, rgba }: Image): Uint8Array {
  const reduced = new Uint8Array(IMAGE_SIZE.widthPx * IMAGE_SIZE.heightPx * 4);
  for (let i = 0; i < reduced.length; i++) {
    const [pixel, channel] = [i >> 2, i & 3];
    const x = (pixel % IMAGE_SIZE.widthPx) * SCALE;
    const y = Math.floor(pixel / IMAGE_SIZE.widthPx) * SCALE;
    let sum = 0;
    for (let row = 0; row < SCALE; row++) {
      for (let column = 0; column < SCALE; column++) {
        sum += rgba[((y + row) * widthPx + x + column) * 4 + channel]!;
      }
    }
    reduced[i] = Math.round(sum / SCALE ** 2);
  }
  return reduced;
}

/** Returns the JPEG of the best quality that is small enough. */
function encodeSmall(data: Uint8Array): Uint8Array {
  const image = { data, width: IMAGE_SIZE.widthPx, height: IMAGE_SIZE.heightPx };
  for (const quality of QUALITIES) {
    const { data: encoded } = jpeg.encode(image, quality);
    if (encoded.length <= LARGEST_BYTES) return encoded;
  }
  throw new Error(`an image has more than ${LARGEST_BYTES} bytes in any quality`);
}

if (import.meta.main) {
  writeFileSync(DOCUMENT, writeBenchmarkTables(readFileSync(DOCUMENT, 'utf8')));
  await writeImages();
}
