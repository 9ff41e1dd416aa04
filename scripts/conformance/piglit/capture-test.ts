/** Captures a test of piglit while it runs on Mesa. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rendererVariables } from '../mesa/replay-on-mesa.ts';
import type { PiglitTest } from './list-tests.ts';

/** Time limit of a test, and of a replay. */
export const RUN_TIMEOUT_MS = 30_000;

/** Whether a test is one of OpenGL ES, which needs EGL. */
export function isEsTest({ command }: PiglitTest): boolean {
  return /gles[23]/.test(command[0]!);
}

/**
 * Captures a test while it runs on softpipe.
 *
 * @returns Whether the test passed and left a capture.
 */
export function captureTest(piglit: string, test: PiglitTest, capture: string): boolean {
  const [program, ...parameters] = test.command;
  const modes = ['-auto', ...(test.usesFbo ? ['-fbo'] : [])];
  const command = [join(piglit, 'bin', program!), ...parameters, ...modes];
  const isEs = isEsTest(test);
  const api = isEs ? 'egl' : 'gl';
  const platform = isEs ? 'x11_egl' : 'glx';
  const { stdout } = spawnSync('apitrace', ['trace', '--api', api, '-o', capture, ...command], {
    cwd: piglit,
    env: {
      ...rendererVariables('softpipe', isEs),
      PIGLIT_PLATFORM: platform,
      PIGLIT_SOURCE_DIR: piglit,
    },
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return /"result": "pass"/.test(stdout ?? '') && existsSync(capture);
}
