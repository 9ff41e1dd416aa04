import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestStore, removeTestStores } from '../testing/temporary-data-folder.ts';

afterEach(removeTestStores);

const CONTENT = Buffer.alloc(3_000_000, 'content');
const OTHER = Buffer.alloc(3_000_000, 'garbage');

describe('files of the store', () => {
  const damages: Readonly<Record<string, (path: string) => void>> = {
    'another content of the same length': (path) => writeFileSync(path, OTHER),
    'another content of the same length and time': (path) => {
      writeFileSync(path, OTHER);
      utimesSync(path, new Date(0), new Date(0));
    },
    'another file': (path) => {
      writeFileSync(`${path}.other`, OTHER);
      renameSync(`${path}.other`, path);
    },
    'bytes too many': (path) => appendFileSync(path, 'more'),
    nothing: (path) => rmSync(path),
  };

  for (const [name, damage] of Object.entries(damages)) {
    it(`are recreated before they are read, even after an earlier read, when they have ${name}`, async () => {
      const { blobs } = openTestStore();
      const { sha256 } = await blobs.write(CONTENT);
      const repaired: string[] = [];
      blobs.repairWith(async (wanted) => {
        repaired.push(wanted);
        expect(await blobs.write(CONTENT)).toMatchObject({ sha256: wanted });
      });
      expect((await blobs.read(sha256)).equals(CONTENT)).toBe(true);
      damage(blobs.pathOf(sha256));
      expect((await blobs.read(sha256)).equals(CONTENT)).toBe(true);
      expect((await blobs.read(sha256)).equals(CONTENT)).toBe(true);
      expect(repaired).toEqual([sha256]);
    });

    it(`are replaced by a write of the correct content when they have ${name}`, async () => {
      const { blobs, database } = openTestStore();
      const blob = await blobs.write(CONTENT);
      database.commit(() => blobs.use('frame:a', [blob]));
      damage(blobs.pathOf(blob.sha256));
      await blobs.write(CONTENT);
      expect((await blobs.read(blob.sha256)).equals(CONTENT)).toBe(true);
      expect(blobs.totalBytes).toBe(CONTENT.length);
    });
  }

  it('are not passed to a reader until they are repaired', async () => {
    const { blobs } = openTestStore();
    const { sha256 } = await blobs.write(CONTENT);
    damages.nothing!(blobs.pathOf(sha256));
    await expect(blobs.read(sha256)).rejects.toMatchObject({ code: 'RESULT_DAMAGED' });
  });
});
