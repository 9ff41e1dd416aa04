import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { writeZip } from './zip.ts';

const ENTRIES = [
  { name: 'frame-0000.png', bytes: Uint8Array.of(1, 2, 3, 255) },
  { name: 'empty.txt', bytes: new Uint8Array(0) },
  { name: 'sub/report.json', bytes: Buffer.from('{"a": 1}') },
];

describe('writeZip', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-zip-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes what another program reads', ({ skip }) => {
    writeFileSync(join(folder, 'a.zip'), writeZip(ENTRIES));
    try {
      execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, 'a.zip'), join(folder, 'out')]);
    } catch (error) {
      skip((error as NodeJS.ErrnoException).code === 'ENOENT', 'python3 is not installed');
      throw error;
    }
    for (const { name, bytes } of ENTRIES) {
      expect([...readFileSync(join(folder, 'out', name))]).toEqual([...bytes]);
    }
  });

  it('says where each entry is and what it sums up to', () => {
    const zip = writeZip(ENTRIES.slice(0, 1));
    expect(zip.readUInt32LE(0)).toBe(0x04034b50);
    expect(zip.readUInt32LE(14)).toBe(0x9c53d059);
    expect([...zip.subarray(44, 48)]).toEqual([1, 2, 3, 255]);
    const end = zip.length - 22;
    expect(zip.readUInt16LE(end + 10)).toBe(1);
    expect(zip.readUInt32LE(zip.readUInt32LE(end + 16))).toBe(0x02014b50);
  });
});
