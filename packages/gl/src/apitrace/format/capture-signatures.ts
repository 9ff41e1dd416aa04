/**
 * Signatures of functions, structures, enumerations, bit masks and stack frames: defined where they are
 * first used, named by number after that. Each kind counts for itself. An event that is begun again brings its
 * definitions again, so each is known with the place where it stands.
 */
import type { CaptureBytes } from './capture-bytes.ts';

export interface FunctionSignature {
  readonly name: string;
  readonly argumentNames: readonly string[];
}

/** A signature, and where in the stream it is defined. */
interface Defined<Signature> {
  readonly signature: Signature;
  readonly at: number;
}

/** The value that all uses of an enumeration have in the versions before 3; else `null`. */
type EnumValue = number | bigint | null;

/** Names in all signatures together; a capture of OpenGL, GLX and EGL has about 5000. */
const MAX_NAMES = 1 << 18;

export class CaptureSignatures {
  readonly #bytes: CaptureBytes;
  readonly #functions = new Map<number, Defined<FunctionSignature>>();
  readonly #structs = new Map<number, Defined<FunctionSignature>>();
  readonly #enums = new Map<number, Defined<EnumValue>>();
  readonly #bitmasks = new Map<number, Defined<null>>();
  readonly #stackFrames = new Map<number, Defined<null>>();
  /** Names of all definitions, and of the one that is being read. */
  #names = 0;
  #newNames = 0;

  constructor(bytes: CaptureBytes) {
    this.#bytes = bytes;
  }

  readFunction(): FunctionSignature {
    return this.#read(this.#functions, () => this.#readNamed());
  }

  readStruct(): FunctionSignature {
    return this.#read(this.#structs, () => this.#readNamed());
  }

  /** Reads an enumeration's signature: its values only matter to people. */
  readEnum(): void {
    this.#read(this.#enums, () => this.#readTable(() => this.readSigned()));
  }

  /** The same before version 3: a signature is one name with its value, which is given. */
  readOldEnum(): number | bigint {
    const value = this.#read(this.#enums, () => {
      this.#count(1);
      this.#bytes.string();
      return this.readSigned();
    });
    return value!;
  }

  readBitmask(): void {
    this.#read(this.#bitmasks, () => this.#readTable(() => this.#bytes.wideUint()));
  }

  readStackFrame(): void {
    this.#read(this.#stackFrames, () => {
      this.#count(1);
      for (;;) {
        const kind = this.#bytes.byte();
        if (kind === 0) return null;
        if (kind <= 3) this.#bytes.string();
        else if (kind <= 5) this.#bytes.wideUint();
        else this.#bytes.fail(`stack frame detail ${kind} is unknown`);
      }
    });
  }

  /** A whole number with its sign, as values of enumerations are. */
  readSigned(): number | bigint {
    const type = this.#bytes.byte();
    if (type !== 3 && type !== 4) this.#bytes.fail(`an enumeration's value has the type ${type}`);
    const value = this.#bytes.wideUint();
    return type === 3 ? -value : value;
  }

  #read<Signature>(
    known: Map<number, Defined<Signature>>,
    readDefinition: () => Signature,
  ): Signature {
    const at = this.#bytes.position;
    const id = this.#bytes.uint();
    const found = known.get(id);
    if (found !== undefined && found.at !== at) return found.signature;
    this.#newNames = 0;
    const signature = readDefinition();
    if (found === undefined) {
      known.set(id, { signature, at });
      this.#names += this.#newNames;
    }
    return signature;
  }

  #readNamed(): FunctionSignature {
    const name = this.#bytes.string();
    const argumentCount = this.#bytes.uint();
    this.#count(argumentCount + 1);
    const argumentNames: string[] = [];
    for (let i = 0; i < argumentCount; i++) argumentNames.push(this.#bytes.string());
    return { name, argumentNames };
  }

  #readTable(readValue: () => void): null {
    const count = this.#bytes.uint();
    this.#count(count + 1);
    for (let i = 0; i < count; i++) {
      this.#bytes.string();
      readValue();
    }
    return null;
  }

  #count(names: number): void {
    this.#newNames += names;
    if (this.#names + this.#newNames > MAX_NAMES)
      this.#bytes.fail(`more than ${MAX_NAMES} names in signatures`);
  }
}
