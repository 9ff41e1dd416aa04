import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { listBrokenGates } from '../../packages/experiments/src/commands/compare-command.ts';
import { decodeImageFile } from '../../packages/experiments/src/images/decode-image-file.ts';
import { compareImages } from '../../packages/experiments/src/images/image-comparison.ts';

const CLEARS = 0x4000;

/** Writes a capture of two frames of 48×32 pixels, red and then green. */
function writeCapture(): Uint8Array {
  const context = 0x1000;
  const drawable = 7;
  const view = { x: 0, y: 0, width: 48, height: 32 };
  const swap = { dpy: null, drawable };
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: null, shareList: null }, context)
    .call('glXMakeCurrent', { dpy: null, drawable, ctx: context })
    .call('glViewport', view, null, 1)
    .call('XPending', {})
    .call('glClearColor', { red: 1, green: 0, blue: 0, alpha: 1 })
    .call('glClear', { mask: CLEARS })
    .call('glXSwapBuffers', swap)
    .call('glClearColor', { red: 0, green: 1, blue: 0, alpha: 1 })
    .call('glClear', { mask: CLEARS })
    .call('glXSwapBuffers', swap)
    .finish();
}

function plainImage(red: number, green: number, blue: number): Image {
  const rgba = new Uint8Array(48 * 32 * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set([red, green, blue, 255], at);
  return { widthPx: 48, heightPx: 32, rgba };
}

describe('commands on captures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-capture-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const capture = join(folder, 'two-frames.trace');
  writeFileSync(capture, writeCapture());

  function run(...args: string[]) {
    const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
    return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder });
  }

  const pixelOf = (path: string) => [
    ...decodeImageFile(readFileSync(join(folder, path)), path).rgba.subarray(0, 3),
  ];

  it('renders the requested frame and names functions that it skipped', () => {
    const first = run('render', capture, '-o', 'first.png', '--timing', 'functional');
    expect([first.status, first.stderr]).toEqual([
      0,
      'warning: function XPending is unknown and was ignored\n' +
        'warning: frame 0 draws nothing; `capture info` lists frames with their draws\n',
    ]);
    expect(first.stdout).toContain('48×32');
    run('render', capture, '-o', 'second.png', '--timing', 'functional', '--frame', '1');
    expect([pixelOf('first.png'), pixelOf('second.png')]).toEqual([
      [255, 0, 0],
      [0, 255, 0],
    ]);
  });

  it('detects a capture by its content, and rejects options that do not apply to it', () => {
    writeFileSync(join(folder, 'no-ending'), writeCapture());
    const sized = run('render', 'no-ending', '--width', '100');
    expect([sized.status, sized.stderr]).toEqual([
      2,
      expect.stringContaining('width: does not apply to a capture'),
    ]);
    const late = run('render', 'no-ending', '--frame', '2');
    expect([late.status, late.stderr]).toEqual([
      2,
      expect.stringContaining('frame 2: the capture has only 2 frames'),
    ]);
    writeFileSync(join(folder, 'model.glb'), 'glTF');
    const model = run('render', 'model.glb', '--frame', '0');
    expect(model.stderr).toContain('frame: does not apply to a model');
  });

  it('compares a capture with an image, writes both differences, exits by its limits', async () => {
    writeFileSync(join(folder, 'orange.png'), await encodePng(plainImage(250, 40, 0)));
    const args = ['compare', capture, 'orange.png', '-o', 'step'];
    const open = run(...args, '--json');
    expect(open.status).toBe(0);
    expect(JSON.parse(open.stdout)).toMatchObject({
      differing: 48 * 32,
      over8: 48 * 32,
      over32: 48 * 32,
      inside: 48 * 32,
      largest: 40,
      meanAbsolute: 15,
    });
    expect([pixelOf('step-positive.png'), pixelOf('step-negative.png')]).toEqual([
      [5, 0, 0],
      [0, 40, 0],
    ]);
    const held = run(...args, '--max-over8', '100%', '--max-largest', '40', '--min-psnr', '15');
    expect([held.status, held.stdout.includes('largest difference')]).toEqual([0, true]);
    const passed = run(...args, '--max-over8', '0.5%');
    expect([passed.status, passed.stderr]).toEqual([
      1,
      expect.stringContaining('limit exceeded: over8: 1536 pixels, at most 7'),
    ]);
  });

  it('rejects images of another size and files that are not images', async () => {
    const small = { widthPx: 1, heightPx: 1, rgba: new Uint8Array(4) };
    writeFileSync(join(folder, 'small.png'), await encodePng(small));
    const sizes = run('compare', capture, 'small.png');
    expect([sizes.status, sizes.stderr]).toEqual([2, expect.stringContaining('48×32 and 1×1')]);
    expect(existsSync(join(folder, 'difference-positive.png'))).toBe(false);
    expect(run('compare', 'small.png', capture).status).toBe(2);
  });

  it('describes a capture', () => {
    const { status, stdout } = run('capture', 'info', capture);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^API +OpenGL\nsize +48×32\ncalls +10\n/);
    expect(stdout).toContain('  0  calls 0 to 6, 0 draws\n');
    expect(stdout).toContain('  1  XPending: unknown\n');
    const json = JSON.parse(run('capture', 'info', capture, '--json').stdout);
    expect(json.frames).toHaveLength(2);
    writeFileSync(join(folder, 'cut.trace'), writeCapture().slice(0, 200));
    const cut = run('capture', 'info', 'cut.trace');
    expect([cut.status, cut.stderr]).toEqual([2, expect.stringMatching(/byte \d+/)]);
  });
});

describe('listBrokenGates', () => {
  const comparison = compareImages(plainImage(10, 10, 10), plainImage(10, 12, 10));

  it('names each exceeded limit, and no other', () => {
    expect(
      listBrokenGates(comparison, { most: { over2: 0, over1: 1536 }, mostLargest: 2 }),
    ).toEqual([]);
    expect(
      listBrokenGates(comparison, { most: { over1: 1535 }, mostLargest: 1, leastPsnrDb: 50 }),
    ).toEqual([
      'over1: 1536 pixels, at most 1535',
      'largest: 2, at most 1',
      'psnr: 46.88 dB, at least 50',
    ]);
  });
});
