import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { hasVideoTool } from '../video/video-tool.ts';
import { createImageBitmap } from './image-bitmap.ts';
import { toolFormatOf } from './tool-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-tool-images-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const WEBP = new Uint8Array(Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBPVP8L', 'latin1'));

it('knows the formats by their first bytes', () => {
  expect(toolFormatOf(WEBP)).toBe('WebP');
  expect(
    toolFormatOf(new Uint8Array(Buffer.from('\u0000\u0000\u0000\u001cftypavif', 'latin1'))),
  ).toBe('AVIF');
  expect(toolFormatOf(new Uint8Array(Buffer.from('GIF89a')))).toBeNull();
});

it('names the program that is missing', async () => {
  vi.stubEnv('PATH', folder);
  await expect(createImageBitmap(new Blob([WEBP]))).rejects.toThrow(
    'images in WebP need the program ffmpeg',
  );
});

it('takes the alpha of AVIF files from the auxiliary item', async () => {
  const pixel = async (item: number, ...rgba: number[]) => {
    const image = { widthPx: 1, heightPx: 1, rgba: Uint8Array.from(rgba) };
    writeFileSync(join(folder, `item-${item}.png`), await encodePng(image));
  };
  await pixel(1, 10, 20, 30, 255);
  await pixel(2, 77, 77, 77, 255);
  // Stand-in that prints the image of the primary item.
  const script = `#!${process.execPath}
    const { readFileSync } = require('node:fs');
    const file = readFileSync(process.argv[process.argv.indexOf('-i') + 1]);
    const item = file.readUInt16BE(file.indexOf('pitm') + 8);
    process.stdout.write(readFileSync(${JSON.stringify(folder)} + '/item-' + item + '.png'));`;
  const tools = mkdtempSync(join(folder, 'tools-'));
  for (const name of ['ffmpeg', 'ffprobe'])
    writeFileSync(join(tools, name), script, { mode: 0o755 });
  vi.stubEnv('PATH', tools);
  const start = '\0\0\0\u001cftypavif\0\0\0\0pitm\0\0\0\0\0\u0001';
  const alpha = 'auxl\0\u0002\0\u0001\0\u0001urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0';
  const decode = async (text: string) => {
    const blob = new Blob([new Uint8Array(Buffer.from(text, 'latin1'))]);
    return [...(await createImageBitmap(blob, { premultiplyAlpha: 'none' })).takePixels()!.rgba];
  };
  expect(await decode(start)).toEqual([10, 20, 30, 255]);
  expect(await decode(start + alpha)).toEqual([10, 20, 30, 77]);
});

it.skipIf(!hasVideoTool())('refuses a damaged file', async () => {
  await expect(createImageBitmap(new Blob([WEBP]))).rejects.toMatchObject({
    name: 'InvalidStateError',
  });
});

const encoders = hasVideoTool()
  ? execFileSync('ffmpeg', ['-v', 'error', '-encoders'], { encoding: 'utf8' })
  : '';

const CASES = [
  ['image.webp', 'libwebp', ['-lossless', '1'], '0xFF8000@0.5', [255, 128, 0, 128]],
  [
    'image.avif',
    'libaom-av1',
    ['-crf', '0', '-pix_fmt', 'yuv444p'],
    '0xFF8000',
    [255, 128, 0, 255],
  ],
] as const;

for (const [name, codec, options, color, wanted] of CASES) {
  it.skipIf(!encoders.includes(codec))(`decodes ${name}`, async () => {
    const path = join(folder, name);
    const graph = `color=${color}:s=16x8:d=0.1,format=rgba`;
    const output = ['-frames:v', '1', '-c:v', codec, ...options, path];
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', graph, ...output]);
    const bitmap = await createImageBitmap(new Blob([readFileSync(path)]), {
      premultiplyAlpha: 'none',
    });
    expect([bitmap.width, bitmap.height]).toEqual([16, 8]);
    const pixel = [...bitmap.takePixels()!.rgba.subarray(0, 4)];
    expect(
      pixel.every((value, k) => Math.abs(value - wanted[k]!) <= 4),
      pixel.join(),
    ).toBe(true);
  });
}
