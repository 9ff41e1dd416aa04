/** Replays captures on Mesa's software renderers for reference images. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import type { Image } from '@tessera/frame';
import { PNG } from 'pngjs';

/** API of a program, which decides the window system that it is captured and replayed with. */
export type ProgramApi = 'gl' | 'egl';

const RENDERERS = ['softpipe', 'llvmpipe'] as const;

/** Returns variables that let a program of OpenGL run on a renderer of Mesa, with all of 3.3. */
export function rendererVariables(renderer: string, isEs: boolean): NodeJS.ProcessEnv {
  const { MESA_GL_VERSION_OVERRIDE: _, ...rest } = process.env;
  return {
    ...rest,
    LIBGL_ALWAYS_SOFTWARE: '1',
    GALLIUM_DRIVER: renderer,
    ...(isEs ? {} : { MESA_GL_VERSION_OVERRIDE: '3.3COMPAT' }),
  };
}

/** A capture and the call up to which it is replayed. */
export interface MesaReplay {
  readonly capture: string;
  readonly api: ProgramApi;
  /** Whether the program is one of OpenGL ES. */
  readonly isEs: boolean;
  /** Number of the call whose image is returned: that of the draw framebuffer after it. */
  readonly call: number;
  readonly timeoutMs: number;
}

/** Replays a capture on softpipe and llvmpipe and returns their images; fewer if there is none. */
export function replayOnMesa({ capture, api, isEs, call, timeoutMs }: MesaReplay): Image[] {
  return RENDERERS.flatMap((renderer) => {
    const prefix = `${capture}-${renderer}-`;
    const program = api === 'egl' ? 'eglretrace' : 'glretrace';
    spawnSync(program, ['-S', String(call), '-s', prefix, capture], {
      env: rendererVariables(renderer, isEs),
      timeout: timeoutMs,
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
