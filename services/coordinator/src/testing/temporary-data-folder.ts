/** Temporary data folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrameStore, type Retention } from '../frames/frame-store.ts';
import { EventLog } from '../observe/event-log.ts';
import type { FrameSource, SourceKind } from '../prepare/frame-source.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { type DataFolder, openDataFolder } from '../store/data-folder.ts';

/** Open data folder with a frame store. */
export interface TestStore extends DataFolder {
  readonly path: string;
  readonly events: EventLog;
  readonly store: FrameStore;
}

const open = new Set<DataFolder>();
const paths = new Set<string>();

/** Creates an empty folder, which {@link removeTestStores} removes. */
export function makeTemporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tessera-coordinator-'));
  paths.add(path);
  return path;
}

/** Opens a store. `path` may be that of an earlier store that was closed. */
export function openTestStore(
  retention: Partial<Retention> = {},
  path = makeTemporaryFolder(),
): TestStore {
  const folder = openDataFolder(path);
  open.add(folder);
  const events = new EventLog(1000, 1);
  const store = new FrameStore({
    ...folder,
    events,
    clock: { readMs: Date.now },
    retention: { maxFrames: 1000, maxBytes: 2 ** 30, maxAgeMs: 2 ** 40, ...retention },
  });
  return { ...folder, path, events, store };
}

/** Closes all open stores and removes all folders. Call it after each test. */
export function removeTestStores(): void {
  for (const { database } of open) database.close();
  open.clear();
  for (const path of paths) rmSync(path, { recursive: true });
  paths.clear();
}

/** Closes a store before the end of its test, as the end of its process would. */
export function closeTestStore(closed: TestStore): void {
  for (const folder of open) {
    if (folder.database !== closed.database) continue;
    open.delete(folder);
    folder.database.close();
  }
}

/** Writes a file to the store and holds it. */
export async function putSource(
  blobs: BlobStore,
  bytes: Uint8Array,
  kind: SourceKind = 'glb',
): Promise<FrameSource> {
  const blob = await blobs.write(bytes);
  return { kind, files: [{ name: 'test', ...blob }], frameIndex: 0 };
}
