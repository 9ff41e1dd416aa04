/** Bit fields of blocks of 128 bits. Bit 0 is the lowest bit of the first byte. */

/** Fields of one block. The object is reused for the next block. */
export class BlockBits {
  /** Words of the block. The last one is always 0, for fields that end at bit 127. */
  readonly #words = new Uint32Array(5);

  /** Replaces the block. */
  load(block: DataView): void {
    for (let i = 0; i < 4; i++) this.#words[i] = block.getUint32(i * 4, true);
  }

  /** Replaces the block by another one with its bits in the opposite order. */
  loadReversed(block: DataView): void {
    for (let i = 0; i < 4; i++) this.#words[i] = reverseBits(block.getUint32(12 - i * 4, true));
  }

  /** Returns the field of `count` bits from bit `at`. A field has at most 31 bits. */
  read(at: number, count: number): number {
    const [word, shift] = [at >> 5, at & 31];
    const low = this.#words[word]! >>> shift;
    const high = shift === 0 ? 0 : this.#words[word + 1]! << (32 - shift);
    return (low | high) & ((1 << count) - 1);
  }
}

function reverseBits(word: number): number {
  let bits = word;
  bits = ((bits >>> 1) & 0x55555555) | ((bits & 0x55555555) << 1);
  bits = ((bits >>> 2) & 0x33333333) | ((bits & 0x33333333) << 2);
  bits = ((bits >>> 4) & 0x0f0f0f0f) | ((bits & 0x0f0f0f0f) << 4);
  bits = ((bits >>> 8) & 0x00ff00ff) | ((bits & 0x00ff00ff) << 8);
  return (bits >>> 16) | (bits << 16);
}
