/**
 * Arrays are transferred between threads in two places only. One transfers its own copies, the
 * other what a program transfers to its workers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** The only files that may have a transfer list. */
const SENDERS = [
  'packages/webgl/src/dom/messages/transfer-message.ts',
  'packages/wire/src/process/post-with-copies.ts',
];

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

/** Returns the number of arguments of the call whose parenthesis opens at `start`. */
function countArguments(source: string, start: number): number {
  let depth = 0;
  let count = 0;
  let isEmpty = true;
  for (let at = start; at < source.length; at++) {
    const char = source[at]!;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth === 0) return count + (isEmpty ? 0 : 1);
    if (char === ',' && depth === 1) {
      count++;
      isEmpty = true;
    } else if (at > start && char.trim() !== '') isEmpty = false;
  }
  return count;
}

/**
 * Returns the calls that could detach an array: those with a transfer list, or the transfer of a
 * buffer.
 */
function findTransfers(source: string): string[] {
  const calls = [...source.matchAll(/(?:\.postMessage|\bstructuredClone)(?=\()/g)]
    .filter(({ 0: name, index }) => countArguments(source, index + name.length) > 1)
    .map(({ 0: name }) => name);
  const others = source.match(/\.transfer(?:ToFixedLength)?(?=\()|\btransferList\b/g) ?? [];
  return [...calls, ...others];
}

describe('transfers between threads', () => {
  it('are made by two files', () => {
    // The dashboard has no threads. The second argument of its messages to windows is an origin.
    const files = ['packages', 'services']
      .flatMap(listSources)
      .filter((file) => !file.startsWith('packages/dashboard/'));
    const found = files.filter(
      (file) => findTransfers(readFileSync(join(ROOT, file), 'utf8')).length > 0,
    );
    expect(found.sort()).toEqual(SENDERS);
  });

  it('are found in every form', () => {
    const source = `port.postMessage(a, [b]); port.postMessage({ a, b: [c, d] });
      port?.postMessage(\n  answer,\n  list(frame),\n); structuredClone(a, { transfer }); bytes.buffer.transfer();
      structuredClone(\n  (a, b),\n); new Worker(url, { transferList });`;
    expect(findTransfers(source)).toEqual([
      '.postMessage',
      '.postMessage',
      'structuredClone',
      '.transfer',
      'transferList',
    ]);
  });
});
