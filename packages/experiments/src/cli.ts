#!/usr/bin/env node
/**
 * The command line `tessera`. Exit statuses: exit-status.ts. Imports little, so that help texts
 * appear at once. Other modules come from the cache of compiled modules, which `npm start` shares.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { requestedUsage } from './commands/commands.ts';

const CACHE_FOLDER = fileURLToPath(new URL('../../../.cache/node-compile', import.meta.url));

const [name, ...args] = process.argv.slice(2);
const usage = requestedUsage(name, args);
if (usage !== null) {
  process.stdout.write(usage);
} else {
  enableCompileCache(CACHE_FOLDER);
  const { runCommand } = await import('./commands/run-command.ts');
  await runCommand(name, args);
}
