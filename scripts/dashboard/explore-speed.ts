/**
 * `npm run explore:speed [-- URL FRAME]`: measures in Chromium how fast the sliders of a frame's
 * page answer, for 64 bins on 64 chiplets with 6 frames in flight. Without arguments it starts a
 * service and renders a model. It prints
 *
 * - `work`: CPU time of the page's thread for an answer: estimate, drawing, styles, layout, paint
 * - `changed`: wall time from the event until bins, chart and figures are changed and laid out
 * - `shown`: wall time from the event until the next image of the page was painted
 *
 * Other programs on the machine lengthen the times, so each position is measured three times. The
 * second list has the least time of each position.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { LaunchedService } from '../launch/service-launcher.ts';
import { findChromium } from '../webgl/chromium-images.ts';

const MODEL = join(
  import.meta.dirname,
  '../../test/golden/models/TextureLinearInterpolationTest.glb',
);
const SETTINGS = 'chiplets=64&frames=6';
/** Choices that are measured with each slider. */
const CHOICES = {
  linkTopology: ['bus', 'ring', 'full'],
  policy: ['static-blocks', 'dynamic-longest-first', 'dynamic-pull'],
} as const;
/** Steps of each slider below its first position, which keep the size of the work. */
const STEPS = 12;
/** Measurements of each position. */
const REPEATS = 3;

/** Times of one answer in milliseconds. */
interface Answer {
  readonly workMs: number;
  readonly changedMs: number;
  readonly shownMs: number;
}

const [given, frameId] = process.argv.slice(2);
const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
const dataFolder = mkdtempSync(join(tmpdir(), 'tessera-explore-'));
const service = given === undefined ? await startService() : null;
const url = given ?? service!.url;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const id = frameId ?? (await renderModel());
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.goto(`${url}/#/frames/${id}?${SETTINGS}`);
  await page.locator('.explore').waitFor();
  const answers = await measureAll(page);
  const [cpu] = cpus();
  process.stdout.write(
    `${answers.length} answers, ${cpu!.model}, load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores\n`,
  );
  for (const [title, shown] of [
    ['all answers', answers],
    [`least of ${REPEATS} answers of each position`, leastOfEach(answers)],
  ] as const) {
    process.stdout.write(`${title}\n`);
    print(
      'work',
      shown.map(({ workMs }) => workMs),
    );
    print(
      'changed',
      shown.map(({ changedMs }) => changedMs),
    );
    print(
      'shown',
      shown.map(({ shownMs }) => shownMs),
    );
  }
} finally {
  await browser.close();
  await service?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}

function startService(): Promise<LaunchedService> {
  return LaunchedService.start({
    workerCount: 1,
    environment: { TESSERA_PORT: '0', TESSERA_CROSSLINK_PORT: '0', TESSERA_DATA_DIR: dataFolder },
    isRestarting: false,
    onLine: () => {},
    onFatal: (message) => process.stderr.write(`${message}\n`),
  });
}

async function renderModel(): Promise<string> {
  const answer = await fetch(`${url}/v1/frames?bins=64&coupling=none`, {
    method: 'POST',
    headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=120' },
    body: new Uint8Array(readFileSync(MODEL)),
  });
  if (answer.status !== 200) throw new Error(`the model was not rendered: ${await answer.text()}`);
  return answer.headers.get('Location')!.split('/').at(-1)!;
}

/** Moves all sliders with each combination of the choices. */
async function measureAll(page: Page): Promise<Answer[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const idle: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    const before = await threadMs(session);
    await page.locator('input[data-setting=chiplets]').evaluate(answerOf, null);
    idle.push((await threadMs(session)) - before);
  }
  const idleMs = idle.sort((a, b) => a - b)[STEPS / 2]!;
  const answers: Answer[] = [];
  for (const linkTopology of CHOICES.linkTopology) {
    await page.locator('[data-setting=linkTopology]').selectOption(linkTopology);
    for (const policy of CHOICES.policy) {
      await page.locator('[data-setting=policy]').selectOption(policy);
      for (const name of ['linkBytesPerCycle', 'linkLatencyCycles', 'chiplets'] as const) {
        answers.push(...(await moveSlider(page, session, name, idleMs)));
      }
    }
  }
  return answers;
}

/**
 * Moves a slider step by step, each after the page has shown the step before, and back.
 *
 * @param idleMs CPU time of the measurement without an event.
 */
async function moveSlider(
  page: Page,
  session: CDPSession,
  name: string,
  idleMs: number,
): Promise<Answer[]> {
  const slider = page.locator(`input[data-setting=${name}]`);
  const first = Number(await slider.inputValue());
  const answers: Answer[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const offset = step === STEPS ? 0 : (step % 4) + 1;
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const before = await threadMs(session);
      const times = await slider.evaluate(answerOf, String(first - offset));
      answers.push({ workMs: (await threadMs(session)) - before - idleMs, ...times });
    }
  }
  return answers;
}

/**
 * Moves a slider and returns the wall times of the answer. Runs in the page.
 *
 * @param value Position to move to; null to wait for images of the page without an event.
 */
async function answerOf(slider: SVGElement | HTMLElement, value: string | null) {
  const input = slider as HTMLInputElement;
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  await nextFrame();
  const startMs = performance.now();
  if (value !== null) {
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
  input.closest('section')!.getBoundingClientRect();
  const changedMs = performance.now() - startMs;
  await nextFrame();
  // The message is received after the paint that follows the frame's callbacks.
  const { port1, port2 } = new MessageChannel();
  const painted = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  port2.postMessage(null);
  await painted;
  return { changedMs, shownMs: performance.now() - startMs };
}

/** Returns the least time of each kind of each position. */
function leastOfEach(answers: readonly Answer[]): Answer[] {
  const positions = Array.from({ length: answers.length / REPEATS }, (_, index) =>
    answers.slice(index * REPEATS, (index + 1) * REPEATS),
  );
  const least = (of: readonly number[]) => Math.min(...of);
  return positions.map((repeats) => ({
    workMs: least(repeats.map(({ workMs }) => workMs)),
    changedMs: least(repeats.map(({ changedMs }) => changedMs)),
    shownMs: least(repeats.map(({ shownMs }) => shownMs)),
  }));
}

/** Returns the CPU time that the page's thread has used for tasks. */
async function threadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
}

function print(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
  process.stdout.write(
    `${what.padEnd(8)} median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, most ${at(1)} ms\n`,
  );
}
