/** File with the input that a process is processing, for its parent if the process dies. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const HEAD_BYTES = 16;

/** Writer of the file. */
export class CurrentInput {
  readonly #file: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Records an input and its number before it is processed. */
  write(number: number, input: Uint8Array): void {
    this.#head.writeDoubleLE(number, 0);
    this.#head.writeDoubleLE(input.length, 8);
    writeSync(this.#file, this.#head, 0, HEAD_BYTES, 0);
    if (input.length > 0) writeSync(this.#file, input, 0, input.length, HEAD_BYTES);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads the number of the current input; -1 before the first. */
export function readCurrentNumber(path: string): number {
  const bytes = readFileSync(path);
  return bytes.length < HEAD_BYTES ? -1 : bytes.readDoubleLE(0);
}

/** Reads the current input; empty before the first. */
export function readCurrentInput(path: string): Uint8Array {
  const bytes = readFileSync(path);
  if (bytes.length < HEAD_BYTES) return new Uint8Array(0);
  return Uint8Array.from(bytes.subarray(HEAD_BYTES, HEAD_BYTES + bytes.readDoubleLE(8)));
}
