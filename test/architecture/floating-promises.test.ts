/**
 * No service leaves a promise floating, because an unhandled rejection ends the process with all
 * its work. Calls are recognized by the name of the function, if it is declared `async` or with a
 * `Promise` as result: in the same file or, for methods of other objects, in any file if no
 * synchronous function has the same name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = [
  'services/coordinator/src',
  'services/visibility-chiplet/src',
  'services/chiplet-worker/src',
  'packages/wire/src',
];

/** Names of our asynchronous methods that are also methods of Node's streams. */
const NODE_NAMES = ['write'];

interface Declared {
  readonly asynchronous: Set<string>;
  readonly others: Set<string>;
}

function declaredNames(source: string): Declared {
  const asynchronous = new Set<string>();
  const others = new Set<string>();
  for (const [, name] of source.matchAll(/\basync\s+(?:function\s+)?(#?\w+)\s*[(<]/g)) {
    asynchronous.add(name!);
  }
  for (const [, name] of source.matchAll(/\bconst\s+(\w+)\s*=\s*async\b/g)) asynchronous.add(name!);
  // Functions and methods with their result types.
  const typed = /^[ ]*(?:export )?(?:function |static |readonly )*(#?\w+)\([^;{}]*?\):\s*(\w+)/gm;
  for (const [, name, type] of source.matchAll(typed)) {
    (type === 'Promise' ? asynchronous : others).add(name!);
  }
  return { asynchronous, others };
}

/** Returns the text after the call whose parenthesis opens at `open`. */
function afterCall(source: string, open: number): string {
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    if (source[at] === '(') depth++;
    else if (source[at] === ')' && --depth === 0) return source.slice(at + 1, at + 40);
  }
  return '';
}

/** Returns the statements of a source that consist of a call of an asynchronous function. */
function findFloating(source: string, onlyAsynchronous: ReadonlySet<string>): string[] {
  const own = declaredNames(source).asynchronous;
  const calls = /(?<=[;{}/])\s*\n[ ]*((?:void )?((?:[\w#]+[?!]?\.)*)(#?\w+))\(/g;
  const floating: string[] = [];
  for (const match of source.matchAll(calls)) {
    const [whole, call, receiver, name] = match;
    const isOwn = receiver === '' || receiver === 'this.';
    if (!(isOwn ? own : onlyAsynchronous).has(name!)) continue;
    const open = match.index + whole.length - 1;
    if (/^\s*;/.test(afterCall(source, open))) floating.push(call!);
  }
  return floating;
}

describe('promises', () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  ).map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));
  const declared = sources.map(({ source }) => declaredNames(source));
  const others = new Set([...NODE_NAMES, ...declared.flatMap((names) => [...names.others])]);
  const onlyAsynchronous = new Set(
    declared.flatMap((names) => [...names.asynchronous]).filter((name) => !others.has(name)),
  );

  it('all have an owner in the services and in wire: await, return, catch, or runOwned', () => {
    const floating = sources.flatMap(({ path, source }) =>
      findFloating(source, onlyAsynchronous).map((call) => `${path}: ${call}(…)`),
    );
    expect(floating).toEqual([]);
  });

  it('are found where they float', () => {
    const source = `
class Queue {
  async #run(job: Job): Promise<void> {}
  start(): void {
    this.#run(job);
    void this.#run(job);
    preparer.prepareModel(source, (a) => b(a));
    preparer.prepareModel(source).catch(onError);
    await this.#run(job);
    runOwned(log, 'work', {}, () => this.#run(job), end);
  }
}`;
    expect(findFloating(source, new Set(['prepareModel']))).toEqual([
      'this.#run',
      'void this.#run',
      'preparer.prepareModel',
    ]);
  });
});
