/** What an argument or result of a recorded call can be. */

/** An address or an offset that the program passed as a pointer. */
export class TracePointer {
  readonly address: number | bigint;

  constructor(address: number | bigint) {
    this.address = address;
  }
}

/** A structure by its member names. */
export class TraceStruct {
  readonly name: string;
  readonly members: Readonly<Record<string, TraceValue>>;

  constructor(name: string, members: Readonly<Record<string, TraceValue>>) {
    this.name = name;
    this.members = members;
  }
}

/**
 * Enumerations and bit masks are their number; whole numbers that a number cannot hold are bigints;
 * blobs are bytes, shared with the decompressed capture.
 */
export type TraceValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | TracePointer
  | TraceStruct
  | readonly TraceValue[];
