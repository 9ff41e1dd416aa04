/** Undamaged images of radiance. */
import { deflateSync } from 'node:zlib';

/** Returns a Radiance HDR image of rows in runs, older runs and plain pixels. */
export function makeHdr(): Uint8Array {
  const head = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2\n\n-Y 1 +X 8\n';
  const row = [2, 2, 0, 8, 8, 1, 2, 3, 4, 5, 6, 7, 8, 136, 128, 136, 0, 136, 129];
  return Uint8Array.from([...Buffer.from(head), ...row]);
}

const [WIDTH_PX, HEIGHT_PX] = [4, 2];
const CHANNEL_NAMES = ['B', 'G', 'R'];
const HALF = 1;

/** Returns OpenEXR images: plain, in runs, and compressed with zlib. */
export function makeExr(): Uint8Array[] {
  const rowBytes = WIDTH_PX * CHANNEL_NAMES.length * 2;
  const row = new Uint8Array(rowBytes).fill(0x3c);
  // Differences of equal bytes are 128; the first byte is itself.
  const differences = row.map((value, i) => (i === 0 ? value : 128));
  const runs = Uint8Array.of(0, differences[0]!, rowBytes - 2, 128);
  const rows = Uint8Array.from({ length: 2 * rowBytes }, (_, i) => (i === 0 ? 0x3c : 128));
  return [
    assembleExr(0, [row, row]),
    assembleExr(1, [runs, runs]),
    assembleExr(3, [Uint8Array.from(deflateSync(rows))]),
  ];
}

function assembleExr(compression: number, chunks: readonly Uint8Array[]): Uint8Array {
  const attribute = (name: string, type: string, value: Uint8Array) =>
    Buffer.concat([Buffer.from(`${name}\0${type}\0`), words(value.length), value]);
  const channels = CHANNEL_NAMES.map((name) =>
    Buffer.concat([Buffer.from(`${name}\0`), words(HALF, 0, 1, 1)]),
  );
  const window = words(0, 0, WIDTH_PX - 1, HEIGHT_PX - 1);
  const header = Buffer.concat([
    words(20_000_630, 2),
    attribute('channels', 'chlist', Buffer.concat([...channels, Buffer.of(0)])),
    attribute('compression', 'compression', Buffer.of(compression)),
    attribute('dataWindow', 'box2i', window),
    attribute('displayWindow', 'box2i', window),
    Buffer.of(0),
  ]);
  let offset = header.length + 8 * chunks.length;
  const table: Buffer[] = [];
  const bodies = chunks.map((chunk, y) => {
    table.push(words(offset, 0));
    offset += 8 + chunk.length;
    return Buffer.concat([words(y, chunk.length), chunk]);
  });
  return Uint8Array.from(Buffer.concat([header, ...table, ...bodies]));
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}
