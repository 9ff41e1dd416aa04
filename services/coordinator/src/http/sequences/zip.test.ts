import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { writeZip, type ZipEntry, zipBytes } from './zip.ts';

function entry(name: string, content: Uint8Array): ZipEntry {
  return { name, key: name, bytes: content.length, read: () => [content] };
}

const CONTENTS = new Map<string, Uint8Array>([
  ['frame-0000.png', Uint8Array.of(1, 2, 3, 255)],
  ['empty.txt', new Uint8Array(0)],
  ['sub/report.json', Buffer.from('{"a": 1}')],
]);
const ENTRIES = [...CONTENTS].map(([name, content]) => entry(name, content));

async function collect(entries: readonly ZipEntry[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(writeZip(entries)));
}

describe('writeZip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-zip-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes an archive that another program reads', async ({ skip }) => {
    writeFileSync(join(folder, 'a.zip'), await collect(ENTRIES));
    try {
      execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, 'a.zip'), join(folder, 'out')]);
    } catch (error) {
      skip((error as NodeJS.ErrnoException).code === 'ENOENT', 'python3 is not installed');
      throw error;
    }
    for (const [name, content] of CONTENTS) {
      expect([...readFileSync(join(folder, 'out', name))]).toEqual([...content]);
    }
  });

  it('records the offset and checksum of each entry', async () => {
    const zip = await collect(ENTRIES.slice(0, 1));
    expect(zip.readUInt32LE(0)).toBe(0x04034b50);
    expect(zip.readUInt32LE(14)).toBe(0x9c53d059);
    expect([...zip.subarray(44, 48)]).toEqual([1, 2, 3, 255]);
    const end = zip.length - 22;
    expect(zip.readUInt16LE(end + 10)).toBe(1);
    expect(zip.readUInt32LE(zip.readUInt32LE(end + 16))).toBe(0x02014b50);
  });

  it('has the length that is computed before anything is read', async () => {
    expect((await collect(ENTRIES)).length).toBe(zipBytes(ENTRIES));
  });

  it('reads an entry when its turn comes, and computes the checksum of equal entries once', async () => {
    const reads: string[] = [];
    const watched = ['first', 'second', 'second', 'second'].map((key, i) => ({
      ...entry(`${i}`, Uint8Array.of(1)),
      key,
      read: () => {
        reads.push(key);
        return [Uint8Array.of(1)];
      },
    }));
    const pieces = writeZip(watched);
    expect(reads).toEqual([]);
    await pieces.next();
    await pieces.next();
    expect(reads).toEqual(['first', 'first']);
    await Array.fromAsync(pieces);
    expect(reads).toEqual(['first', 'first', 'second', 'second', 'second', 'second']);
  });

  it('fails when an entry has a different length than declared', async () => {
    const short = { ...entry('a', Uint8Array.of(1)), bytes: 2 };
    await expect(collect([short])).rejects.toThrow('zip: a has a different length than 2 bytes');
  });

  it('refuses an archive of more than 4 GiB before it reads anything', async () => {
    const large = { ...entry('a', Uint8Array.of(1)), bytes: 2 ** 31 };
    await expect(collect([large, large])).rejects.toThrow(RangeError);
  });
});
