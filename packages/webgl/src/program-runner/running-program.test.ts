import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type ProgramOptions, RunningProgram } from './running-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Pending work of the last frame. */
let pendingOfFrame: readonly string[] = [];

const FILL = `
  function fill(gl, red) {
    gl.clearColor(red, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }`;

/** Runs a program and returns the size and the red value of its first frames. */
async function run(
  name: string,
  source: string,
  frameCount = 1,
  options: Partial<ProgramOptions> = {},
): Promise<number[][]> {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, FILL + source);
  const backEnd = { kind: 'in-process' } as const;
  const size = { widthPx: 8, heightPx: 4 };
  const program = await RunningProgram.start({
    ...{ path, ...size, backEnd, startTimeoutMs: 200 },
    ...options,
  });
  const frames: number[][] = [];
  try {
    for (let index = 0; index < frameCount; index++) {
      await program.drawFrame(index);
      const { image, pending } = await program.takeFrame();
      pendingOfFrame = pending;
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

  it.each([
    ['performance', 'performance.now()'],
    ['date', 'Date.now()'],
    ['new-date', 'new Date().getTime()'],
  ])('has the time of its frames in %s', async (name, now) => {
    const ofProcess = [performance.now, Date, Date.now] as const;
    const source = `
      export async function main({ gl }) {
        performance.mark('start');
        const startMs = ${now};
        await new Promise((resolve) => setTimeout(resolve, 5));
        return () => fill(gl, (${now} - startMs) / 255);
      }`;
    const reds = name === 'performance' ? [0, 17, 33] : [0, 16, 33];
    expect(await run(name, source, 3)).toEqual(reds.map((red) => [8, 4, red]));
    expect([performance.now, Date, Date.now]).toEqual(ofProcess);
  });

  it('has dates of other times, and as text', async () => {
    const source = `
      export function main({ gl }) {
        const date = new Date(2001, 2, 3);
        const isRight = date instanceof Date && date.getFullYear() === 2001 &&
          Date.UTC(1970, 0) === 0 && Date() === new Date().toString();
        return () => fill(gl, isRight ? 1 : 0);
      }`;
    expect(await run('dates', source)).toEqual([[8, 4, 255]]);
  });

  it('advances its videos to the time of each frame', async () => {
    const source = `
      let timeMs = 99;
      document.videos.start({ advance: async (toMs) => (timeMs = toMs) });
      export function main({ gl }) {
        return async () => {
          fill(gl, timeMs / 255);
          await new Promise((resolve) => setTimeout(resolve, 40));
          if (document.videos.isRunning && timeMs > 33.4) throw new Error('wall time');
        };
      }`;
    expect(await run('video', source, 3)).toEqual([0, 17, 33].map((red) => [8, 4, red]));
  });

  it('starts anew when it runs again', async () => {
    const source = `
      let draws = 0;
      const gl = document.querySelector('canvas').getContext('webgl2');
      requestAnimationFrame(() => fill(gl, ++draws / 255));`;
    expect(await run('again', source)).toEqual([[8, 4, 1]]);
    expect(await run('again', source)).toEqual([[8, 4, 1]]);
  });

  it('can draw from a timer at the last moment', async () => {
    const source = `
      const gl = document.querySelector('canvas').getContext('webgl2');
      setTimeout(() => fill(gl, 1), 1);`;
    const options = { startTimeoutMs: 0 };
    expect(await run('moment', source, 1, options)).toEqual([[8, 4, 255]]);
  });

  it('is rejected with a reason if it draws nothing', async () => {
    await expect(run('nothing', '')).rejects.toThrow(
      'nothing.mjs: the module neither exports main nor creates a WebGL context',
    );
    const idle = `document.querySelector('canvas').getContext('webgl2');`;
    await expect(run('idle', idle)).rejects.toThrow('the program has drawn nothing for 0.2 s');
  });
});

/** Source of a worker that works for a while before it answers. */
const SLOW = `
  const slow = () => new Worker(URL.createObjectURL(new Blob([\`
    onmessage = ({ data }) => {
      for (const end = performance.now() + 50; performance.now() < end;);
      postMessage(data);
    };\`])));`;

describe('a program with workers', () => {
  it('has a frame when the workers have answered what the frame sent', async () => {
    const source = `${SLOW}
      export function main({ gl }) {
        const worker = slow();
        worker.onmessage = ({ data }) => fill(gl, data / 255);
        return (frame) => worker.postMessage(100 + frame);
      }`;
    const frames = [100, 101, 102].map((red) => [8, 4, red]);
    expect(await run('answers', source, 3)).toEqual(frames);
    expect(pendingOfFrame).toEqual([]);
  });

  it('can draw in a worker', async () => {
    const worker = `${FILL}
      onmessage = ({ data: canvas }) => {
        const gl = canvas.getContext('webgl2');
        const draw = (time) => { fill(gl, time / 255); requestAnimationFrame(draw); };
        requestAnimationFrame(draw);
      };`;
    const source = `
      const canvas = document.querySelector('canvas').transferControlToOffscreen();
      const source = new Blob([${JSON.stringify(worker)}]);
      new Worker(URL.createObjectURL(source)).postMessage(canvas, [canvas]);`;
    const times = [0, 17, 33];
    expect(await run('draws', source, 3)).toEqual(times.map((red) => [8, 4, red]));
  });

  it('ends with an error if a worker does not become idle', async () => {
    const source = `
      const canvas = document.querySelector('canvas');
      new Worker('data:text/javascript,while(true);');
      canvas.getContext('webgl2');`;
    await expect(run('busy', source, 1, { loadTimeoutMs: 300 })).rejects.toThrow(
      'busy.mjs: after 0.3 s still pending: worker data:text/javascript,while(true);',
    );
  });
});

describe('a program that loads', () => {
  const LOADS = `
    const gl = document.querySelector('canvas').getContext('webgl2');
    const load = (value) => new Promise((resolve) => setTimeout(resolve, 30, value));`;

  it('draws frame 0 when nothing is pending', async () => {
    const source = `${LOADS}${SLOW}
      let red = 0.2;
      // Each step starts in an animation frame, after the one before.
      const steps = [
        () => fetch('data:,0.4').then((response) => response.text()),
        () => new Promise((resolve) => {
          const worker = slow();
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage(0.6);
        }),
        () => load(0.8),
      ];
      let isReady = true;
      const draw = () => {
        if (isReady && steps.length > 0) {
          isReady = false;
          steps.shift()().then((value) => { red = Number(value); isReady = true; });
        }
        fill(gl, red);
        requestAnimationFrame(draw);
      };
      draw();`;
    expect(await run('steps', source, 1, { isIdleFirst: true })).toEqual([[8, 4, 204]]);
    expect(pendingOfFrame).toEqual([]);
  });

  it('has a frame with the names of what is pending', async () => {
    const source = `${LOADS}new ReadableStream().getReader().read(); load(); fill(gl, 0.2);`;
    expect(await run('early', source)).toEqual([[8, 4, 51]]);
    expect(pendingOfFrame).toEqual(['stream']);
  });

  it('has animation frames at different times while it loads', async () => {
    const path = join(folder, 'red.json');
    writeFileSync(path, '1');
    const source = `
      const gl = document.querySelector('canvas').getContext('webgl2');
      let red = 0;
      let lastMs = -1;
      requestAnimationFrame(function draw(timeMs) {
        if (timeMs > lastMs) fill(gl, red + (timeMs > 0.1 ? timeMs / 255 : 0));
        lastMs = timeMs;
        requestAnimationFrame(draw);
      });
      red = await (await fetch(${JSON.stringify(pathToFileURL(path).href)})).json();
      red = 0.2;`;
    const idle = { isIdleFirst: true };
    expect(await run('passing', source, 2, idle)).toEqual([51, 68].map((red) => [8, 4, red]));
  });

  it('draws again when an observer has changed the size of its canvas', async () => {
    const source = `
      const gl = document.querySelector('canvas').getContext('webgl2');
      new ResizeObserver(([{ contentRect }]) => {
        gl.canvas.width = contentRect.width;
      }).observe(gl.canvas);
      requestAnimationFrame(function draw() {
        gl.canvas.style.width = '6px';
        fill(gl, 1);
        requestAnimationFrame(draw);
      });`;
    expect(await run('observed', source, 1, { isIdleFirst: true })).toEqual([[6, 4, 255]]);
  });

  it('keeps the last image if it draws on demand', async () => {
    const source = `${LOADS}
      fill(gl, 0.2);
      load().then(() => requestAnimationFrame(() => fill(gl, 1)));`;
    expect(await run('demand', source, 1, { isIdleFirst: true })).toEqual([[8, 4, 255]]);
    const main = `export async function main({ gl }) {
      let red = 0;
      setTimeout(() => { red = 1; }, 30);
      return () => fill(gl, red);
    }`;
    expect(await run('main', main, 1, { isIdleFirst: true })).toEqual([[8, 4, 255]]);
  });

  it('is not delayed by messages of each frame, or by a clock', async () => {
    const source = `${SLOW}
      const gl = document.querySelector('canvas').getContext('webgl2');
      const worker = slow();
      setInterval(() => {}, 1);
      const tick = () => setTimeout(tick, 1);
      tick();
      const draw = () => { worker.postMessage(0); fill(gl, 1); requestAnimationFrame(draw); };
      requestAnimationFrame(draw);`;
    expect(await run('clock', source, 1, { isIdleFirst: true })).toEqual([[8, 4, 255]]);
  });

  it('is rejected with the names of what does not end', async () => {
    const source = `${LOADS}fill(gl, 1); new ReadableStream().getReader().read();`;
    const options = { isIdleFirst: true, loadTimeoutMs: 100 };
    await expect(run('endless', source, 1, options)).rejects.toThrow(
      'endless.mjs: after 0.1 s still pending: stream',
    );
  });
});
