/** Renumbers uniforms, samplers, inputs and outputs of a program to their final numbers. */
import type { IrNode, IrProgram } from '../ir/ir.ts';
import { forEachNode, rewriteNodes } from '../ir/regions.ts';

/** Final numbers by kind; numbers of an `undefined` kind stay. */
export interface InterfaceMap {
  readonly word?: (word: number) => number;
  readonly textureSlot?: (slot: number) => number;
  /** Final input slot; null if nothing provides the input, which then reads 0. */
  readonly input?: (slot: number) => number | null;
  /** Final output slot; null if nothing reads the output, which is then dropped. */
  readonly output?: (slot: number) => number | null;
}

/** Returns `program` with the numbers of `map`. */
export function remapInterface(program: IrProgram, map: InterfaceMap): IrProgram {
  const rewriteNode = (node: IrNode): IrNode | null => {
    switch (node.kind) {
      case 'uniform':
        return map.word === undefined ? node : { ...node, word: map.word(node.word) };
      case 'texture':
      case 'textureSize':
        return map.textureSlot === undefined
          ? node
          : { ...node, textureSlot: map.textureSlot(node.textureSlot) };
      case 'input': {
        if (map.input === undefined) return node;
        const slot = map.input(node.slot);
        if (slot !== null) return { ...node, slot };
        return { kind: 'constant', result: node.result, bits: 0 };
      }
      case 'output': {
        if (map.output === undefined) return node;
        const slot = map.output(node.slot);
        return slot === null ? null : { ...node, slot };
      }
      default:
        return node;
    }
  };
  return { ...program, body: rewriteNodes(program.body, rewriteNode) };
}

/** Numbers that a program reads, by kind. */
export interface InterfaceUse {
  readonly words: ReadonlySet<number>;
  readonly textureSlots: ReadonlySet<number>;
  readonly inputs: ReadonlySet<number>;
}

/** Returns everything that `program` may read. A computed index may read its whole range. */
export function findInterfaceUse(program: IrProgram): InterfaceUse {
  const words = new Set<number>();
  const textureSlots = new Set<number>();
  const inputs = new Set<number>();
  forEachNode(program.body, (node) => {
    switch (node.kind) {
      case 'uniform':
        for (let k = 0; k < (node.index === null ? 1 : node.wordCount); k++) {
          words.add(node.word + k);
        }
        break;
      case 'texture':
      case 'textureSize':
        textureSlots.add(node.textureSlot);
        break;
      case 'input':
        inputs.add(node.slot);
        break;
    }
  });
  return { words, textureSlots, inputs };
}
