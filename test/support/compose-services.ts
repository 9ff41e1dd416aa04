/** Services of the compose files, as text. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Service of a compose file. */
export interface ComposeService {
  /** Path of the file. */
  readonly path: string;
  readonly name: string;
  /** Lines of the service, without comments. */
  readonly text: string;
}

/** Returns the text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the services of a compose file with their lines, without comments. */
export function readServices(path: string): [name: string, text: string][] {
  const lines = readText(path)
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''));
  const block = `${lines.join('\n')}\n`.split(/^services:\n/m)[1]?.split(/^\S/m)[0] ?? '';
  return block
    .split(/^ {2}(?=\S)/m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(':')), text]);
}

/**
 * Returns the environment of a service with the defaults of `${NAME:-default}`. A required host is
 * `host`.
 */
export function readVariables(service: string): Record<string, string> {
  return Object.fromEntries(
    [...service.matchAll(/^ {6}(TESSERA_\w+): "?(.*?)"?\s*$/gm)].map(([, name, value]) => [
      name!,
      value!.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+(:\?[^}]*)?\}/g, 'host'),
    ]),
  );
}

/** Services of all compose files that start whole containers. */
export const COMPOSE_SERVICES: readonly ComposeService[] = [
  'docker-compose.yml',
  'docs/deploy/worker-host.yml',
].flatMap((path) => readServices(path).map(([name, text]) => ({ path, name, text })));
