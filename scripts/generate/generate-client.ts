/**
 * Generates packages/client/src/generated.ts from the OpenAPI document of a coordinator that it
 * starts.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateClient, type OpenApiDocument } from './client-generator.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGET = join(ROOT, 'packages/client/src/generated.ts');

const folder = mkdtempSync(join(tmpdir(), 'tessera-client-'));
const coordinator = fork(join(ROOT, 'services/coordinator/src/main.ts'), {
  env: { ...process.env, TESSERA_PORT: '0', TESSERA_DATA_DIR: folder, TESSERA_LOG_LEVEL: 'warn' },
  execArgv: [],
});
const [{ port }] = (await once(coordinator, 'message')) as [{ port: number }];
const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`);
const document = (await answer.json()) as OpenApiDocument;
coordinator.kill('SIGTERM');
await once(coordinator, 'exit');
rmSync(folder, { recursive: true });
writeFileSync(TARGET, generateClient(document));
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', TARGET], { cwd: ROOT });
process.stdout.write(`${TARGET}\n`);
