/**
 * Streams a ZIP archive of files that are compressed already. Entries are stored uncompressed
 * (PKWARE APPNOTE 6.3, method 0, without ZIP64). Only one piece of one entry is in memory. The
 * checksum precedes the bytes, so each entry is read twice. Times are the epoch of the format, so
 * the same files give the same bytes.
 */
import { crc32 } from 'node:zlib';

/** Entry of an archive. */
export interface ZipEntry {
  /** Path in the archive, in ASCII with `/`. */
  readonly name: string;
  /** Key of the content. The checksum of entries with the same key is computed once. */
  readonly key: string;
  readonly bytes: number;
  /** Reads the content from its start. */
  readonly read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** January 1, 1980 in the date format of ZIP. */
const EPOCH_DATE = 0x21;
/** Upper bound on entries. */
export const MAX_ZIP_ENTRIES = 0xffff;
/** Upper bound on bytes of an archive. */
export const MAX_ZIP_BYTES = 4_294_967_295;

/** Returns the bytes of the archive of these entries. */
export function zipBytes(entries: readonly Pick<ZipEntry, 'name' | 'bytes'>[]): number {
  return entries.reduce(
    (sum, { name, bytes }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * name.length + bytes,
    END_BYTES,
  );
}

/**
 * Yields the archive in pieces.
 *
 * @throws {RangeError} If there are more than {@link MAX_ZIP_ENTRIES} entries or
 *   {@link MAX_ZIP_BYTES} bytes.
 * @throws {Error} If an entry has a different length than declared; the archive is incomplete then.
 */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array, void> {
  const totalBytes = zipBytes(entries);
  if (entries.length > MAX_ZIP_ENTRIES || totalBytes > MAX_ZIP_BYTES) {
    throw new RangeError(`zip: ${entries.length} entries, ${totalBytes} bytes`);
  }
  const checksums = new Map<string, number>();
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, key, bytes } = entry;
    const checksum = checksums.get(key) ?? (await checksumOf(entry));
    checksums.set(key, checksum);
    const path = Buffer.from(name, 'latin1');
    const common = describeEntry(checksum, bytes, path.length);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL_SIGNATURE);
    yield Buffer.concat([local, common, path]);
    yield* readAll(entry);
    const central = Buffer.alloc(6);
    central.writeUInt32LE(CENTRAL_SIGNATURE);
    central.writeUInt16LE(VERSION, 4);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([central, common, place, path]));
    offset += LOCAL_BYTES + path.length + bytes;
  }
  const directory = Buffer.concat(centrals);
  yield directory;
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  yield end;
}

/** Returns the fields that the local and central headers of an entry have in common. */
function describeEntry(checksum: number, bytes: number, nameBytes: number): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(VERSION, 0);
  common.writeUInt16LE(EPOCH_DATE, 8);
  common.writeUInt32LE(checksum, 10);
  common.writeUInt32LE(bytes, 14);
  common.writeUInt32LE(bytes, 18);
  common.writeUInt16LE(nameBytes, 22);
  return common;
}

async function checksumOf(entry: ZipEntry): Promise<number> {
  let checksum = 0;
  for await (const piece of readAll(entry)) checksum = crc32(piece, checksum);
  return checksum;
}

/** @throws {Error} If the content has a different length than the entry declares. */
async function* readAll({ name, bytes, read }: ZipEntry): AsyncGenerator<Uint8Array, void> {
  let left = bytes;
  for await (const piece of read()) {
    left -= piece.length;
    if (left < 0) break;
    yield piece;
  }
  if (left !== 0) throw new Error(`zip: ${name} has a different length than ${bytes} bytes`);
}
