/** Types of arguments and results of recorded calls. */

/** Address or offset that the program passed as a pointer. */
export class CapturedPointer {
  readonly address: number | bigint;

  constructor(address: number | bigint) {
    this.address = address;
  }
}

/** Structure with its member values by name. */
export class CapturedStruct {
  readonly name: string;
  readonly members: Readonly<Record<string, CapturedValue>>;

  constructor(name: string, members: Readonly<Record<string, CapturedValue>>) {
    this.name = name;
    this.members = members;
  }
}

/**
 * Value of an argument or result. Enumerations and bit masks are numbers. Integers beyond the range
 * of a number are bigints. Blobs share memory with the decompressed capture.
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
