import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeTestStore,
  openTestStore,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import type { StoredBlob } from './blob-store.ts';
import { ResourceStore } from './resource-store.ts';

afterEach(removeTestStores);

/** Uploads ten bytes, as a request does. */
async function put({ blobs }: TestStore, resources: ResourceStore, letter: string) {
  const blob = await blobs.write(Buffer.from(letter.repeat(10)));
  const isNew = resources.add(blob);
  blobs.release([blob]);
  return { blob, isNew };
}

function isThere({ blobs }: TestStore, { sha256 }: StoredBlob): boolean {
  return existsSync(blobs.pathOf(sha256));
}

describe('ResourceStore', () => {
  it('keeps each content once, also across a restart', async () => {
    const first = openTestStore();
    const resources = new ResourceStore(first.database, first.blobs, 100);
    const { blob, isNew } = await put(first, resources, 'a');
    expect(isNew).toBe(true);
    expect((await put(first, resources, 'a')).isNew).toBe(false);
    closeTestStore(first);

    const second = openTestStore({}, first.path);
    const again = new ResourceStore(second.database, second.blobs, 100);
    expect(again.totalBytes).toBe(10);
    expect(again.lease().take([blob.sha256])).toEqual([blob]);
    expect(isThere(second, blob)).toBe(true);
  });

  it('removes the least recently used when their total exceeds the limit', async () => {
    const test = openTestStore();
    const resources = new ResourceStore(test.database, test.blobs, 20);
    const a = (await put(test, resources, 'a')).blob;
    const b = (await put(test, resources, 'b')).blob;
    const lease = resources.lease();
    lease.take([a.sha256]);
    lease.close();
    await put(test, resources, 'c');
    expect(isThere(test, a)).toBe(true);
    expect(isThere(test, b)).toBe(false);
    expect(() => resources.lease().take([b.sha256])).toThrow(
      expect.objectContaining({ code: 'RESOURCES_MISSING', missing: [b.sha256] }),
    );
    const large = await test.blobs.write(Buffer.alloc(21));
    expect(() => resources.add(large)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('removes no file that a lease may use until the lease is closed', async () => {
    const test = openTestStore();
    const resources = new ResourceStore(test.database, test.blobs, 10);
    const { blob } = await put(test, resources, 'a');
    const lease = resources.lease();
    await put(test, resources, 'b');
    expect(isThere(test, blob)).toBe(true);
    expect(lease.take([blob.sha256])).toEqual([blob]);
    expect(() => resources.lease().take([blob.sha256])).toThrow('missing');
    lease.close();
    expect(isThere(test, blob)).toBe(false);
  });

  it('leaves a file that a frame uses, and removes it with the frame', async () => {
    const test = openTestStore();
    const resources = new ResourceStore(test.database, test.blobs, 10);
    const { blob } = await put(test, resources, 'a');
    test.database.commit(() => test.blobs.use('frame:x', [blob]));
    await put(test, resources, 'b');
    expect(isThere(test, blob)).toBe(true);
    test.blobs.removeUnused(test.database.commit(() => test.blobs.dropUser('frame:x')));
    expect(isThere(test, blob)).toBe(false);
  });
});
