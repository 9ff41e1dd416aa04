/** What an argument or result of a recorded call can be. */

/** An address or an offset that the program passed as a pointer. */
export class CapturedPointer {
  readonly address: number | bigint;

  constructor(address: number | bigint) {
    this.address = address;
  }
}

/** A structure by its member names. */
export class CapturedStruct {
  readonly name: string;
  readonly members: Readonly<Record<string, CapturedValue>>;

  constructor(name: string, members: Readonly<Record<string, CapturedValue>>) {
    this.name = name;
    this.members = members;
  }
}

/**
 * Enumerations and bit masks are their number; whole numbers that a number cannot hold are bigints;
 * blobs are bytes, shared with the decompressed capture.
 */
export type CapturedValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CapturedPointer
  | CapturedStruct
  | readonly CapturedValue[];
