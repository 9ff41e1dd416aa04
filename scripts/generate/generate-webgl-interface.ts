/** Generates packages/webgl/src/interface/webgl-interface.ts from TypeScript's DOM library. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printWebGlInterface, readDomLibrary } from './webgl-interface.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TARGET = join(ROOT, 'packages/webgl/src/interface/webgl-interface.ts');

writeFileSync(TARGET, printWebGlInterface(readDomLibrary(ROOT)));
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', TARGET], { cwd: ROOT });
process.stdout.write(`${TARGET}\n`);
