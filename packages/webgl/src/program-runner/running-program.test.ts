import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunningProgram } from './running-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILL = `
  function fill(gl, red) {
    gl.clearColor(red, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }`;

/** Runs a program and returns the size and the red value of its first frames. */
async function run(name: string, source: string, frameCount = 1): Promise<number[][]> {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, FILL + source);
  const backEnd = { kind: 'in-process' } as const;
  const size = { widthPx: 8, heightPx: 4 };
  const program = await RunningProgram.start({ path, ...size, backEnd, startTimeoutMs: 200 });
  const frames: number[][] = [];
  try {
    for (let index = 0; index < frameCount; index++) {
      await program.drawFrame(index);
      const { image } = await program.takeFrame();
      frames.push([image.widthPx, image.heightPx, image.rgba[0]!]);
    }
  } finally {
    program.close();
  }
  return frames;
}

describe('a program in its page', () => {
  it('can try out WebGL on another canvas before it draws', async () => {
    const source = `
      const trial = document.createElement('canvas').getContext('webgl');
      if (trial === null) throw new Error('no WebGL');
      export function main({ gl }) {
        fill(document.createElement('canvas').getContext('webgl2'), 0.2);
        return () => fill(gl, 1);
      }`;
    expect(await run('trial', source)).toEqual([[8, 4, 255]]);
  });

  it('can add a canvas of its own', async () => {
    const source = `
      const canvas = document.createElement('canvas');
      canvas.width = 16;
      document.body.appendChild(canvas);
      const gl = canvas.getContext('webgl2');
      let red = 1;
      const draw = () => { fill(gl, red); red -= 0.4; requestAnimationFrame(draw); };
      requestAnimationFrame(draw);`;
    expect(await run('own', source, 2)).toEqual([
      [16, 150, 255],
      [16, 150, 153],
    ]);
  });

  it('can draw to a canvas that it adds to no page', async () => {
    const source = `fill(document.createElement('canvas').getContext('webgl'), 1);`;
    expect(await run('apart', source)).toEqual([[300, 150, 255]]);
  });

  it('draws its first frame when its files are loaded', async () => {
    const source = `
      const gl = document.querySelector('canvas').getContext('webgl2');
      let isLoaded = false;
      setTimeout(() => { isLoaded = true; }, 30);
      const draw = () => { if (isLoaded) fill(gl, 1); requestAnimationFrame(draw); };
      requestAnimationFrame(draw);`;
    expect(await run('late', source)).toEqual([[8, 4, 255]]);
    const later = `
      setTimeout(() => fill(document.querySelector('canvas').getContext('webgl2'), 1), 30);`;
    expect(await run('later', later)).toEqual([[8, 4, 255]]);
  });

  it('is rejected with a reason if it draws nothing', async () => {
    await expect(run('nothing', '')).rejects.toThrow(
      'nothing.mjs: the module neither exports main nor creates a WebGL context',
    );
    const idle = `document.querySelector('canvas').getContext('webgl2');`;
    await expect(run('idle', idle)).rejects.toThrow('the program has drawn nothing for 0.2 s');
  });
});
