/** Output of `npm start`: an example's image, the dashboard, commands to try. */
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeControls } from '@tessera/frame';
import { renderExamples } from './render-examples.ts';
import type { LaunchedService } from './service-launcher.ts';

/** Time for which the other examples wait, so that the page of who opens it now loads first. */
const OTHER_EXAMPLES_AFTER_MS = 3000;

/** Settings of {@link showExamples}. */
export interface ShowOptions {
  readonly workerCount: number;
  readonly logLevel: string;
  /** Ends the examples when the service stops. */
  readonly signal: AbortSignal;
}

/** Lets the coordinator build the scripts of the dashboard while the first example is rendered. */
async function prepareDashboard(url: string): Promise<void> {
  await (await fetch(`${url}/dashboard/scripts/main.js`)).arrayBuffer();
}

/**
 * Renders an example and prints the address of its image and that of the dashboard. The other
 * examples follow.
 */
export async function showExamples(
  service: LaunchedService,
  { workerCount, logLevel, signal }: ShowOptions,
): Promise<void> {
  const { url, headers } = service;
  const tokenOption = 'Authorization' in headers ? "-H 'Authorization: Bearer …' " : '';
  const examples = renderExamples(service);
  let image: string;
  try {
    const [first] = await Promise.all([examples.next(), prepareDashboard(url)]);
    image = url + first.value;
  } catch (error) {
    image = `failed: ${escapeControls((error as Error).message)}`;
    process.exitCode = 1;
  }
  process.stdout.write(`
Tessera is up: a visibility chiplet and ${workerCount} workers.

  first image     ${image}
  dashboard       ${url}/
  documentation   ${url}/docs

Render your own model:

  npx tessera submit model.glb -o image.png${url.endsWith(':8080') ? '' : ` --url ${url}`}

or with HTTP only:

  curl ${tokenOption}-H 'Content-Type: model/gltf-binary' -H 'Prefer: wait=60' -H 'Accept: image/png' \\
    --data-binary @model.glb -o image.png '${url}/v1/frames?name=model.glb'

Log level: TESSERA_LOG_LEVEL=${logLevel} (info and debug log more). Ctrl-C stops everything.
`);

  try {
    await sleep(OTHER_EXAMPLES_AFTER_MS, undefined, { signal });
    for await (const _image of examples);
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`${escapeControls((error as Error).message)}\n`);
  }
}
