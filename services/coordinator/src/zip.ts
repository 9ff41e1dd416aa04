/**
 * Writes a ZIP archive of files that are compressed already: entries are stored as they are (PKWARE APPNOTE 6.3,
 * method 0, without ZIP64). Times are those of the format's epoch, so that the same files give the same bytes.
 */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  /** Path in the archive, of ASCII letters, with `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const VERSION = 20;
/** The first of January 1980, as the format has dates. */
const EPOCH_DATE = 0x21;
const MAX_ENTRIES = 0xffff;
const MAX_BYTES = 0xffff_ffff;

/** @throws {RangeError} If there are more than 65,535 entries, or 4 GiB in all. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name, 'latin1');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(EPOCH_DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL_SIGNATURE);
    locals.push(local, common, path, Buffer.from(bytes));
    const central = Buffer.alloc(6);
    central.writeUInt32LE(CENTRAL_SIGNATURE);
    central.writeUInt16LE(VERSION, 4);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    centrals.push(central, common, place, path);
    offset += 30 + path.length + bytes.length;
  }
  const directory = Buffer.concat(centrals);
  if (entries.length > MAX_ENTRIES || offset + directory.length > MAX_BYTES) {
    throw new RangeError(`zip: ${entries.length} entries, ${offset} bytes`);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
