/**
 * Uniform blocks of one linked program (OpenGL ES 3.0, section 2.12.6): their buffer bindings, and
 * the values that a draw gives to their members, which are plain uniforms of frames.
 */
import type { UniformValue } from '@tessera/frame';
import type { BlockBytes } from '../buffers/buffer-objects.ts';
import type {
  ReflectedBlock,
  ReflectedBlockMember,
  ReflectedProgram,
} from './program-reflection.ts';

/** Block, or one element of an array of blocks. */
export interface ActiveBlock {
  /** Name, such as `Block` or `Block[2]`. */
  readonly name: string;
  readonly layout: ReflectedBlock;
  /** Index of the binding point. */
  binding: number;
}

/** Uniform blocks of one linked program. */
export class UniformBlocks {
  readonly blocks: readonly ActiveBlock[];
  /** Values last read from each block, valid while the same bytes are bound. */
  readonly #known = new Map<
    ActiveBlock,
    { readonly from: BlockBytes; readonly values: Readonly<Record<string, UniformValue>> }
  >();

  #merged: {
    readonly parts: readonly Readonly<Record<string, UniformValue>>[];
    readonly values: Readonly<Record<string, UniformValue>>;
  } | null = null;

  constructor({ blocks = [] }: ReflectedProgram) {
    this.blocks = blocks.flatMap((layout): ActiveBlock[] =>
      layout.arrayLength === null
        ? [{ name: layout.name, layout, binding: 0 }]
        : Array.from({ length: layout.arrayLength }, (_, element) => ({
            name: `${layout.name}[${element}]`,
            layout,
            binding: 0,
          })),
    );
  }

  /**
   * Returns the index of a block; −1 if no active block has the name. An array may be named without
   * an index.
   */
  index(name: string): number {
    const found = this.blocks.findIndex((block) => block.name === name);
    return found === -1 ? this.blocks.findIndex((block) => block.name === `${name}[0]`) : found;
  }

  /**
   * Returns `plain` with the values of all block members by their names in a frame, or the name of
   * a block with too small a buffer. The object stays the same while nothing changes.
   *
   * @param bound Returns the bytes bound to a binding point.
   */
  addTo(
    plain: Readonly<Record<string, UniformValue>>,
    bound: (binding: number) => BlockBytes | null,
  ): Readonly<Record<string, UniformValue>> | string {
    const parts: Readonly<Record<string, UniformValue>>[] = [plain];
    for (const block of this.blocks) {
      const from = bound(block.binding);
      if (from === null) return `no buffer is bound for uniform block ${block.name}`;
      if (from.sizeBytes < block.layout.sizeBytes) {
        return `uniform block ${block.name}: ${from.sizeBytes} of ${block.layout.sizeBytes} bytes`;
      }
      parts.push(this.#read(block, from));
    }
    const isSame = parts.every((part, i) => part === this.#merged?.parts[i]);
    if (!isSame) this.#merged = { parts, values: Object.assign({}, ...parts) };
    return this.#merged!.values;
  }

  #read(block: ActiveBlock, from: BlockBytes): Readonly<Record<string, UniformValue>> {
    const known = this.#known.get(block);
    const isSame = known?.from.bytes === from.bytes && known.from.offsetBytes === from.offsetBytes;
    if (known !== undefined && isSame) return known.values;
    const { bytes, offsetBytes } = from;
    const view = new DataView(bytes.buffer, bytes.byteOffset + offsetBytes);
    const values = Object.fromEntries(
      block.layout.members.map((member) => [
        `${block.name}${member.path}`,
        readMember(view, member),
      ]),
    );
    this.#known.set(block, { from, values });
    return values;
  }
}

/** Reads a member element by element, column by column. */
function readMember(view: DataView, member: ReflectedBlockMember): UniformValue {
  const { scalarType, rows, columns, arrayLength, offsetBytes, isRowMajor } = member;
  const { arrayStrideBytes, matrixStrideBytes } = member;
  const length = rows * columns * arrayLength;
  const values =
    scalarType === 'float'
      ? new Float32Array(length)
      : scalarType === 'uint'
        ? new Uint32Array(length)
        : new Int32Array(length);
  let to = 0;
  for (let element = 0; element < arrayLength; element++) {
    const start = offsetBytes + element * arrayStrideBytes;
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++) {
        const at = isRowMajor
          ? start + row * matrixStrideBytes + column * 4
          : start + column * matrixStrideBytes + row * 4;
        if (scalarType === 'float') values[to++] = view.getFloat32(at, true);
        else if (scalarType === 'uint') values[to++] = view.getUint32(at, true);
        else values[to++] = view.getInt32(at, true);
      }
    }
  }
  return values;
}
