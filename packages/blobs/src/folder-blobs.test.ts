import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderBlobs } from './folder-blobs.ts';

const DAY_MS = 24 * 3_600_000;
const CONTENT = Buffer.from('content of a blob');
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const open = () => Readable.from([CONTENT]);

describe('FolderBlobs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'blobs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is used by two processes of one folder', async () => {
    const [writer, reader] = [new FolderBlobs(folder), new FolderBlobs(folder)];
    await writer.put(SHA256, CONTENT.length, open);
    expect(await buffer(await reader.get(SHA256))).toEqual(CONTENT);
    await reader.delete(SHA256);
    expect(await writer.size(SHA256)).toBeNull();
  });

  it('removes the files of writes that were interrupted a day ago, and no others', () => {
    new FolderBlobs(folder);
    const incoming = join(folder, 'incoming');
    for (const name of ['old', 'young']) writeFileSync(join(incoming, name), 'partial');
    mkdirSync(join(incoming, 'of-nginx'));
    const seconds = (Date.now() - DAY_MS - 60_000) / 1000;
    for (const name of ['old', 'of-nginx']) utimesSync(join(incoming, name), seconds, seconds);
    new FolderBlobs(folder);
    expect(readdirSync(incoming)).toEqual(['of-nginx', 'young']);
  });

  it('says that it is away, not that blobs are missing, if the folder is gone', async () => {
    const blobs = new FolderBlobs(folder);
    await blobs.put(SHA256, CONTENT.length, open);
    rmSync(folder, { recursive: true });
    const away = { name: 'BlobStoreUnavailableError', status: null };
    await expect(blobs.size(SHA256)).rejects.toMatchObject(away);
    await expect(blobs.get(SHA256)).rejects.toMatchObject(away);
    await expect(blobs.put(SHA256, CONTENT.length, open)).rejects.toMatchObject(away);
    await expect(blobs.delete(SHA256)).rejects.toMatchObject(away);
  });

  it('refuses names that are no hashes', async () => {
    const blobs = new FolderBlobs(folder);
    await expect(blobs.size('../../etc/passwd')).rejects.toThrow(RangeError);
  });

  it('leaves nothing behind when the content fails', async () => {
    const blobs = new FolderBlobs(folder);
    const failing = () =>
      Readable.from(
        (async function* () {
          yield CONTENT.subarray(0, 3);
          throw new Error('source is gone');
        })(),
      );
    await expect(blobs.put(SHA256, CONTENT.length, failing)).rejects.toThrow('source is gone');
    expect(readdirSync(folder)).toEqual(['incoming']);
    expect(readdirSync(join(folder, 'incoming'))).toEqual([]);
  });
});
