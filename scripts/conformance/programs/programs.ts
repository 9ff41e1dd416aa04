/**
 * `npm run conformance:programs`: captures free programs of Debian in play and compares one of the
 * last frames of each with Mesa's renderers. Needs apitrace, xdotool and an X server (`xvfb-run`).
 * A program that is not installed is skipped.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCaptureFile } from '@tessera/experiments/read-capture';
import { RenderError } from '@tessera/frame';
import { hasCaptureMagic, readCalls, summarizeCapture } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { differenceFrom, isReference } from '../mesa/image-verdict.ts';
import { keepTest } from '../mesa/keep-test.ts';
import { rendererVariables, replayOnMesa } from '../mesa/replay-on-mesa.ts';
import { type FreeProgram, PROGRAMS } from './program-list.ts';

/** Part of the captured frames before the one that is compared: the program is in play by then. */
const COMPARED_PART = 0.95;
const REPLAY_TIMEOUT_MS = 600_000;

const { values } = parseArgs({
  options: {
    filter: { type: 'string', default: '' },
    seconds: { type: 'string', default: '16' },
    keep: { type: 'string' },
  },
});
const pattern = new RegExp(values.filter);
const home = mkdtempSync(join(tmpdir(), 'tessera-programs-'));
const gpu = new LocalGpu({ chipletCount: 2 });
let failures = 0;
for (const program of PROGRAMS.filter(({ name }) => pattern.test(name))) {
  const verdict = existsSync(program.command[0]!)
    ? await judge(program)
    : `skipped: ${program.package} is not installed`;
  process.stdout.write(`${program.name}: ${verdict}\n`);
}
rmSync(home, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;

async function judge(program: FreeProgram): Promise<string> {
  const { name, api } = program;
  const path = join(home, `${name}.trace`);
  await capture(program, path);
  if (!existsSync(path)) return 'skipped: it left no capture';
  const bytes = readFileSync(path);
  if (!hasCaptureMagic(bytes)) return 'skipped: it had not written a capture when it was ended';
  const { frames } = summarizeCapture(readCalls(bytes));
  const index = Math.floor((frames.length - 1) * COMPARED_PART);
  const chosen = frames[index];
  if (chosen === undefined) return 'skipped: it completes no frame';
  const call = chosen.lastCall;
  const replay = { capture: path, api, isEs: false, call, timeoutMs: REPLAY_TIMEOUT_MS };
  const references = replayOnMesa(replay);
  const at = `frame ${index} of ${frames.length}, ${chosen.draws} draws`;
  if (!isReference(references)) return `skipped: Mesa's renderers have no common image (${at})`;
  try {
    const { frame, warnings } = await readCaptureFile(path, index, gpu.programs);
    const { image } = await gpu.render(frame);
    keepTest({ keep: values.keep ?? null, name, bytes, images: [image, ...references] });
    const difference = differenceFrom(image, references);
    if (difference === null) return `agrees (${at})`;
    failures++;
    return `differs (${at}): ${[difference, ...warnings].join('; ')}`;
  } catch (error) {
    keepTest({ keep: values.keep ?? null, name, bytes, images: references });
    failures++;
    return `${error instanceof RenderError ? 'refused' : 'crashes'} (${at}): ${error}`;
  } finally {
    rmSync(path);
  }
}

/** Runs a program on llvmpipe under apitrace and gives it its input. */
async function capture({ api, command, input }: FreeProgram, path: string): Promise<void> {
  const seconds = Number(values.seconds);
  const environment = { ...rendererVariables('llvmpipe', true), SDL_AUDIODRIVER: 'dummy' };
  const running = spawn(
    'timeout',
    [String(seconds), 'apitrace', 'trace', '--api', api, '-o', path, ...command],
    { env: { ...environment, HOME: home }, stdio: 'ignore', cwd: home },
  );
  const ended = new Promise((resolve) => running.once('exit', resolve));
  const startedMs = performance.now();
  for (const action of input.split(', ').filter(Boolean)) {
    const [atSeconds, ...parameters] = action.split(' ');
    await sleep(Math.max(startedMs + Number(atSeconds) * 1000 - performance.now(), 0));
    spawnSync('xdotool', parameters, { stdio: 'ignore' });
  }
  await ended;
}
