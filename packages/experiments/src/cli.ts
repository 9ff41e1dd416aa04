#!/usr/bin/env node
/**
 * The command line `tessera`. Exit statuses: exit-status.ts. Imports little, so that help texts
 * appear at once. Other modules come from the cache of compiled modules, which `npm start` shares.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { requestedUsage } from './commands/commands.ts';

/** In the repository `.cache`, in an installed package `node_modules/.cache`. */
const CACHE_FOLDER = fileURLToPath(new URL('../../../.cache/node-compile', import.meta.url));

const [name, ...args] = process.argv.slice(2);
const usage = requestedUsage(name, args);
if (usage !== null) {
  process.stdout.write(usage);
} else {
  // Node 20 has no such cache.
  module.enableCompileCache?.(CACHE_FOLDER);
  const { runCommand } = await import('./commands/run-command.ts');
  await runCommand(name, args);
}
