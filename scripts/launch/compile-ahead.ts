/**
 * Fills the folder of compiled modules that `NODE_COMPILE_CACHE` names, so that containers start in
 * two thirds of the processor time. Runs a gateway and a cell, which have the modules of all
 * processes, and renders a frame.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeKnotModel } from './examples/knot-model.ts';
import { LaunchedService } from './service-launcher.ts';

const SERVICES = new URL('../../services/', import.meta.url);
const WAIT_S = 120;

function pathOf(service: string, file: string): string {
  return fileURLToPath(new URL(`${service}/src/${file}`, SERVICES));
}

/** Posts a frame and waits for its image. */
async function render(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/frames?width=64&height=48`, {
    method: 'POST',
    headers: { 'Content-Type': 'model/gltf-binary', Prefer: `wait=${WAIT_S}` },
    body: Buffer.from(await makeKnotModel()),
  });
  if (response.status !== 200) throw new Error(await response.text());
}

/** Starts a gateway and returns its address. */
async function startGateway(environment: NodeJS.ProcessEnv): Promise<[ChildProcess, string]> {
  const gateway = fork(pathOf('coordinator', 'main.ts'), {
    env: { ...process.env, ...environment, TESSERA_ROLE: 'gateway' },
  });
  const [{ port }] = (await once(gateway, 'message')) as [{ port: number }];
  return [gateway, `http://127.0.0.1:${port}`];
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-compile-'));
const environment = {
  TESSERA_PORT: '0',
  TESSERA_ENGINE_URL: `sqlite:${join(folder, 'engine.db')}`,
  TESSERA_BLOBS_URL: `file:${join(folder, 'blobs')}`,
};
const [gateway, url] = await startGateway({
  ...environment,
  TESSERA_DATA_DIR: join(folder, 'gateway'),
});
const cell = await LaunchedService.start({
  workerCount: 1,
  environment: { ...environment, TESSERA_ROLE: 'cell', TESSERA_DATA_DIR: join(folder, 'cell') },
  isRestarting: false,
  onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
  onFatal: (message) => process.stderr.write(`${message}\n`),
});
await render(url);
// Processes write what they have compiled when they exit.
await cell.stop();
const gone = once(gateway, 'exit');
gateway.kill();
await gone;
rmSync(folder, { recursive: true, force: true });
