/** Statements that hold for every store, on real servers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';
import { HAS_NGINX, startNginxDav } from './testing/nginx-dav.ts';
import { startSignedBucket, TEST_CREDENTIALS, TEST_REGION } from './testing/signed-bucket.ts';
import { testContent } from './testing/test-content.ts';

/** Store under test. */
interface Subject {
  readonly blobs: BlobStore;
  /** Stores content under a wrong name, past the store. */
  readonly damage: (sha256: string, content: Buffer) => void;
  readonly close: () => void | Promise<void>;
}

function writeBlob(folder: string, sha256: string, content: Buffer): void {
  const path = join(folder, sha256.slice(0, 2), sha256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const SUBJECTS: Readonly<Record<string, () => Promise<Subject>>> = {
  'a folder': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'blobs-'));
    return {
      blobs: openBlobStore(pathToFileURL(folder).href),
      damage: (sha256, content) => writeBlob(folder, sha256, content),
      close: () => rmSync(folder, { recursive: true }),
    };
  },
  'nginx with WebDAV': async () => {
    const nginx = await startNginxDav();
    return {
      blobs: openBlobStore(nginx.url),
      damage: (sha256, content) => writeBlob(nginx.folder, sha256, content),
      close: nginx.close,
    };
  },
  'a bucket that checks signatures': async () => {
    const bucket = await startSignedBucket();
    const endpoint = `http://127.0.0.1:${bucket.port}`;
    const url = `s3://captures/of/tests?endpoint=${endpoint}&region=${TEST_REGION}`;
    return {
      blobs: openBlobStore(url, { env: TEST_CREDENTIALS }),
      damage: (sha256, content) => bucket.objects.set(`/captures/of/tests/${sha256}`, content),
      close: bucket.kill,
    };
  },
};

const isSkipped = (name: string) => name.startsWith('nginx') && !HAS_NGINX;

describe.each(Object.keys(SUBJECTS))('%s', (name) => {
  let subject: Subject;
  let blobs: BlobStore;
  beforeAll(async () => {
    if (isSkipped(name)) return;
    subject = await SUBJECTS[name]!();
    ({ blobs } = subject);
  });
  afterAll(() => subject?.close());
  const test = it.skipIf(isSkipped(name));

  test.each([0, 1, 65_536, 65_537, 5_000_000])(
    'returns %i bytes as they were put',
    async (bytes) => {
      const { sha256, content, open } = testContent(bytes);
      expect(await blobs.size(sha256)).toBeNull();
      await blobs.put(sha256, bytes, open);
      expect(await blobs.size(sha256)).toBe(bytes);
      expect((await buffer(await blobs.get(sha256))).equals(content)).toBe(true);
    },
  );

  test('does not read content that it has', async () => {
    const { sha256, bytes, open } = testContent(1000, 2);
    await blobs.put(sha256, bytes, open);
    await blobs.put(sha256, bytes, () => {
      throw new Error('was opened');
    });
    expect(await blobs.size(sha256)).toBe(bytes);
  });

  test('refuses content that is not named by its hash, and stores nothing', async () => {
    const wrong = testContent(200_000, 3);
    const { sha256 } = testContent(200_000, 4);
    const refused = blobs.put(sha256, wrong.bytes, wrong.open);
    await expect(refused).rejects.toMatchObject({ name: 'BlobDamagedError', sha256 });
    await expect(refused).rejects.toThrow(`its SHA-256 is ${wrong.sha256}`);
    expect(await blobs.size(sha256)).toBeNull();
  });

  test.each([-1, 1])('refuses content whose length differs by %i', async (difference) => {
    const { sha256, bytes, open } = testContent(200_000, 5);
    const refused = blobs.put(sha256, bytes - difference, open);
    await expect(refused).rejects.toMatchObject({ name: 'BlobDamagedError', sha256 });
    expect(await blobs.size(sha256)).toBeNull();
  });

  test('passes on the error of the content, and stores nothing', async () => {
    const { sha256, bytes, content } = testContent(300_000, 6);
    const failing = async function* () {
      yield content.subarray(0, 200_000);
      throw new Error('the disk of the caller is gone');
    };
    const failed = blobs.put(sha256, bytes, () => Readable.from(failing(), { objectMode: false }));
    await expect(failed).rejects.toThrow('the disk of the caller is gone');
    expect(await blobs.size(sha256)).toBeNull();
  });

  test('says that a blob is missing', async () => {
    const { sha256 } = testContent(10, 7);
    const error = { name: 'BlobMissingError', sha256 };
    await expect(blobs.get(sha256)).rejects.toMatchObject(error);
    await blobs.delete(sha256);
  });

  test('stores a blob that is put many times at once', async () => {
    const { sha256, bytes, content, open } = testContent(1_000_000, 8);
    await Promise.all(Array.from({ length: 8 }, () => blobs.put(sha256, bytes, open)));
    expect((await buffer(await blobs.get(sha256))).equals(content)).toBe(true);
  });

  test('deletes a blob', async () => {
    const { sha256, bytes, open } = testContent(10, 9);
    await blobs.put(sha256, bytes, open);
    await blobs.delete(sha256);
    expect(await blobs.size(sha256)).toBeNull();
  });

  test('fails the stream of damaged content, before its end', async () => {
    const { sha256 } = testContent(200_000, 10);
    subject.damage(sha256, testContent(200_000, 11).content);
    const read = buffer(await blobs.get(sha256));
    await expect(read).rejects.toMatchObject({ name: 'BlobDamagedError', sha256 });
  });

  test('replaces a blob of the wrong length', async () => {
    const { sha256, bytes, content, open } = testContent(200_000, 12);
    subject.damage(sha256, content.subarray(0, 100_000));
    await blobs.put(sha256, bytes, open);
    expect((await buffer(await blobs.get(sha256))).equals(content)).toBe(true);
  });

  test('lets go of a stream that is destroyed unread', async () => {
    const { sha256, bytes, open } = testContent(5_000_000, 13);
    await blobs.put(sha256, bytes, open);
    for (let i = 0; i < 20; i++) (await blobs.get(sha256)).destroy();
    expect(await blobs.size(sha256)).toBe(bytes);
  });
});
