/** Runs a test of piglit on Mesa: captures its calls, and replays them for reference images. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from '@tessera/frame';
import { PNG } from 'pngjs';
import type { PiglitTest } from './list-tests.ts';

const TIMEOUT_MS = 30_000;
/** Renderers of Mesa; the first one runs the test. */
const RENDERERS = ['softpipe', 'llvmpipe'] as const;

/** Whether a test is one of OpenGL ES, which needs EGL. */
function isEs({ command }: PiglitTest): boolean {
  return /gles[23]/.test(command[0]!);
}

function environmentOf(renderer: string, test: PiglitTest): NodeJS.ProcessEnv {
  const { MESA_GL_VERSION_OVERRIDE: _, ...rest } = process.env;
  return {
    ...rest,
    LIBGL_ALWAYS_SOFTWARE: '1',
    GALLIUM_DRIVER: renderer,
    ...(isEs(test)
      ? { PIGLIT_PLATFORM: 'x11_egl' }
      : { PIGLIT_PLATFORM: 'glx', MESA_GL_VERSION_OVERRIDE: '3.3COMPAT' }),
  };
}

/**
 * Captures a test while it runs on softpipe.
 *
 * @returns Whether the test passed and left a capture.
 */
export function captureTest(piglit: string, test: PiglitTest, capture: string): boolean {
  const [program, ...parameters] = test.command;
  const command = [
    join(piglit, 'bin', program!),
    ...parameters,
    '-auto',
    ...(test.usesFbo ? ['-fbo'] : []),
  ];
  const api = isEs(test) ? 'egl' : 'gl';
  const { stdout } = spawnSync('apitrace', ['trace', '--api', api, '-o', capture, ...command], {
    cwd: piglit,
    env: { ...environmentOf('softpipe', test), PIGLIT_SOURCE_DIR: piglit },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return /"result": "pass"/.test(stdout ?? '') && existsSync(capture);
}

/**
 * Replays a capture on both renderers of Mesa and returns the images of the draw framebuffer after
 * a call; fewer where a replay has none.
 */
export function replayOnMesa(test: PiglitTest, capture: string, call: number): Image[] {
  return RENDERERS.flatMap((renderer) => {
    const prefix = `${capture}-${renderer}-`;
    const program = isEs(test) ? 'eglretrace' : 'glretrace';
    spawnSync(program, ['-S', String(call), '-s', prefix, capture], {
      env: environmentOf(renderer, test),
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      stdio: 'ignore',
    });
    return globSync(`${prefix}*.png`).map((path) => decode(readFileSync(path)));
  });
}

function decode(bytes: Buffer): Image {
  const { width: widthPx, height: heightPx, data } = PNG.sync.read(bytes);
  return { widthPx, heightPx, rgba: new Uint8Array(data) };
}
