/**
 * Lowers the largest memory of a WebAssembly module (WebAssembly core specification 2.0, section
 * 5.5.8). Decoders are compiled for 2 GiB, and their allocations are determined by their input.
 */

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 65536;

/**
 * Returns a copy of a module whose own memory cannot grow beyond `maxBytes`. Allocations past it
 * fail inside the module.
 *
 * @param wasm Module with one memory, which has a maximum.
 */
export function limitWasmMemory(wasm: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const limited = Uint8Array.from(wasm);
  let at = HEADER_BYTES;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = limited[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < limited.length) {
    const section = limited[at++];
    const end = readVarint() + at;
    if (section !== MEMORY_SECTION) {
      at = end;
      continue;
    }
    const memoryCount = readVarint();
    const hasMaximum = limited[at++] === 1;
    const initialPages = readVarint();
    if (memoryCount !== 1 || !hasMaximum) break;
    const maximumAt = at;
    const maximumPages = readVarint();
    const pages = Math.max(initialPages, Math.floor(maxBytes / PAGE_BYTES));
    // The number keeps its length: padding with zeros is permitted.
    if (pages < maximumPages) writeVarint(limited.subarray(maximumAt, at), pages);
    return limited;
  }
  throw new Error('the module has no memory with a maximum');
}

function writeVarint(bytes: Uint8Array, value: number): void {
  bytes.forEach((_, i) => {
    const more = i === bytes.length - 1 ? 0 : 0x80;
    bytes[i] = ((value >>> (7 * i)) & 0x7f) | more;
  });
}
