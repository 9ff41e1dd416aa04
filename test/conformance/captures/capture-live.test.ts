/**
 * The steps of docs/capturing.md work from the running program to the image: Debian's glmark2 is
 * captured under a virtual X server, one frame is trimmed, replayed by Mesa and rendered. Skipped
 * if glmark2, apitrace or Xvfb is not installed. Nothing of glmark2 is stored in the repository.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareImages } from '@tessera/experiments/image-comparison';
import { readCapture, readCaptureFile } from '@tessera/experiments/read-capture';
import { readCalls, summarizeCapture } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { decodePng } from '../../support/compare-images.ts';

const TOOLS = ['apitrace', 'xvfb-run', 'Xvfb', 'xauth'];
const PROGRAM_WITHIN_MS = 60_000;
/** Number of frames that glmark2 draws, and the frame under test. */
const FRAMES = 6;
const WANTED_FRAME = 4;

const FLAVOURS = [
  { title: 'OpenGL, GLX', program: 'glmark2', api: 'gl', replayer: 'glretrace' },
  { title: 'OpenGL ES, EGL', program: 'glmark2-es2', api: 'egl', replayer: 'eglretrace' },
] as const;

function isInstalled(tool: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status === 0;
}

/** Runs a program under its own X server with Mesa's renderer `driver`. */
function runUnderX(driver: 'llvmpipe' | 'softpipe', command: readonly string[]): void {
  execFileSync('xvfb-run', ['-a', '-s', '-screen 0 640x480x24', ...command], {
    env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', GALLIUM_DRIVER: driver },
    timeout: PROGRAM_WITHIN_MS,
    stdio: 'pipe',
  });
}

describe('a program that draws into textures in its first frame alone', () => {
  const canRun = [...TOOLS, 'glmark2', 'glretrace'].every(isInstalled);

  it.skipIf(!canRun)(
    'looks as in Mesa in a later frame',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tessera-live-'));
      try {
        const path = join(folder, 'desktop.trace');
        const run = ['glmark2', '--size', '200x150', '-b', 'desktop:nframes=3:duration=1000'];
        runUnderX('llvmpipe', ['apitrace', 'trace', '--output', path, ...run]);
        runUnderX('softpipe', ['glretrace', '-s', join(folder, 'reference-'), path]);
        const references = readdirSync(folder).filter((name) => name.startsWith('reference-'));
        const reference = decodePng(readFileSync(join(folder, references.sort()[2]!)));

        const gpu = new LocalGpu({ chipletCount: 2 });
        const { frame, warnings } = await readCaptureFile(path, 2, gpu.programs);
        expect(warnings).toEqual([]);
        const { image } = await gpu.render(frame);
        const found = compareImages(image, reference);
        expect(found.over1, JSON.stringify(found)).toBeLessThanOrEqual(found.pixels * 0.005);
        expect(found.over8, JSON.stringify(found)).toBeLessThanOrEqual(found.pixels * 0.0005);
        expect(new Set(new Uint32Array(image.rgba.buffer)).size).toBeGreaterThan(100);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    2 * PROGRAM_WITHIN_MS,
  );
});

describe.each(FLAVOURS)('a program that is captured now ($title)', (flavour) => {
  const { program, api, replayer } = flavour;
  const canRun = [...TOOLS, program, replayer].every(isInstalled);

  it.skipIf(!canRun)(
    'looks as in Mesa',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tessera-live-'));
      try {
        const whole = join(folder, 'whole.trace');
        const one = join(folder, 'one.trace');
        const scene = `shading:shading=phong:nframes=${FRAMES}:duration=1000`;
        const run = [program, '--size', '200x150', '-b', scene];
        runUnderX('llvmpipe', ['apitrace', 'trace', '--api', api, '--output', whole, ...run]);
        execFileSync('apitrace', ['gltrim', '-f', String(WANTED_FRAME), '-o', one, whole], {
          timeout: PROGRAM_WITHIN_MS,
          stdio: 'pipe',
        });
        runUnderX('softpipe', [replayer, '-s', join(folder, 'reference-'), one]);
        const references = readdirSync(folder).filter((name) => name.startsWith('reference-'));
        const reference = decodePng(readFileSync(join(folder, references.sort().at(-1)!)));

        const gpu = new LocalGpu({ chipletCount: 2 });
        const { frames, size } = summarizeCapture(readCalls(readFileSync(one)));
        expect(size).toEqual({ widthPx: 200, heightPx: 150 });
        const trimmed = readCapture(readFileSync(one), frames.length - 1, gpu.programs);
        expect(trimmed.warnings).toEqual([]);
        const { image } = await gpu.render(trimmed.frame);
        const found = compareImages(image, reference);
        expect(found.over1, JSON.stringify(found)).toBeLessThanOrEqual(found.pixels * 0.005);
        expect(found.over8, JSON.stringify(found)).toBeLessThanOrEqual(found.pixels * 0.0005);
        // A blank image would be close to a blank reference, so the model must cover a good part of
        // the image.
        expect(new Set(new Uint32Array(image.rgba.buffer)).size).toBeGreaterThan(100);

        const untrimmed = readCapture(readFileSync(whole), WANTED_FRAME, gpu.programs);
        const again = await gpu.render(untrimmed.frame);
        expect(compareImages(again.image, image).differing).toBe(0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    4 * PROGRAM_WITHIN_MS,
  );
});
