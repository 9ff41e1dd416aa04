/**
 * Records of a run on a machine that has run others before: numbers of draws, vertices, blocks and
 * words continue those of the earlier runs, and lines of memory are those of the address space of
 * the run's pass. Records of a run themselves count from 0.
 */
import {
  ARRAY,
  ARRAY_WORDS,
  BLOCK,
  BLOCK_RECORD_WORDS,
  COMMAND,
  COMMAND_WORDS,
  COPY,
  DRAW,
  DRAW_WORDS,
  END_OF_TRACE,
  ENTRY,
  ENTRY_PRIMITIVE,
  ENTRY_WORDS,
  LINE_BYTES,
  PRIMITIVE,
  PROGRAM,
  SNAPSHOT,
  TRACE,
} from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { RecordedRun } from '@tessera/frame';
import { makeProgramBlocks } from '../memory-manager/address-map.ts';
import { StoredPrograms } from '../memory-manager/stored-programs.ts';

/** Numbers of the first records of a run. */
export interface RunBases {
  readonly draws: number;
  readonly arrays: number;
  readonly vertices: number;
  readonly blocks: number;
  readonly fragmentTraceWords: number;
  /** Added to lines of textures and of the user area. */
  readonly lines: number;
}

/** Returns commands with their draws, vertices and lines moved. */
export function moveCommands({ commands }: RecordedRun, bases: RunBases): Int32Array {
  const words = commands.slice();
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const kind = words[at + COMMAND.kind]!;
    if (kind === COPY) continue; // It has places of its own.
    words[at + COMMAND.draw]! += bases.draws;
    if (kind === SNAPSHOT) words[at + COMMAND.snapshotLine]! += bases.lines;
    if (kind !== PRIMITIVE) continue;
    for (let corner = 0; corner < 3; corner++) {
      const vertex = at + COMMAND.vertex + corner;
      if (words[vertex]! >= 0) words[vertex]! += bases.vertices;
    }
    if (words[at + COMMAND.feedbackLine]! > 0) words[at + COMMAND.feedbackLine]! += bases.lines;
    if (words[at + COMMAND.firstIndexLine]! < 0) continue;
    words[at + COMMAND.firstIndexLine]! += bases.lines;
    words[at + COMMAND.lastIndexLine]! += bases.lines;
  }
  return words;
}

/** Returns entries with their blocks moved. */
export function moveEntries({ entries }: RecordedRun, bases: RunBases): Int32Array {
  const words = entries.slice();
  for (let at = 0; at < words.length; at += ENTRY_WORDS) {
    if (words[at + ENTRY.kind] === ENTRY_PRIMITIVE) words[at + ENTRY.firstBlock]! += bases.blocks;
  }
  return words;
}

/** Returns blocks with their draws moved. Marks stay. */
export function moveBlocks({ blocks }: RecordedRun, bases: RunBases): Int32Array {
  const words = blocks.slice();
  for (let at = BLOCK.draw; at < words.length; at += BLOCK_RECORD_WORDS) {
    if (words[at]! >= 0) words[at]! += bases.draws;
  }
  return words;
}

/** Returns the first words of traces, moved. */
export function moveTraces({ fragmentTraces }: RecordedRun, bases: RunBases): Int32Array {
  return fragmentTraces.map((word) => word + bases.fragmentTraceWords);
}

/** Returns words of traces that follow one another, with the lines of lookups moved. */
export function moveTraceWords(traceWords: Int32Array, lines: number): Int32Array {
  if (lines === 0) return traceWords;
  const words = traceWords.slice();
  for (let at = 0; at < words.length; ) {
    if (words[at + TRACE.passes] === END_OF_TRACE) {
      at += TRACE.passes + 1;
      continue;
    }
    const end = at + TRACE.lines + words[at + TRACE.lineCount]!;
    for (let line = at + TRACE.lines; line < end; line++) words[line]! += lines;
    at = end;
  }
  return words;
}

/** Returns attribute arrays with their bytes moved. */
export function moveArrays({ arrays }: RecordedRun, bases: RunBases): Float64Array {
  const words = arrays.slice();
  for (let at = 0; at < words.length; at += ARRAY_WORDS) {
    words[at + ARRAY.base]! += bases.lines * LINE_BYTES;
    words[at + ARRAY.end]! += bases.lines * LINE_BYTES;
  }
  return words;
}

/** Programs that are stored on a machine, through all its runs. */
export class MachinePrograms {
  readonly #vertex: StoredPrograms<string>;
  readonly #fragment: StoredPrograms<string>;
  #runCount = 0;

  constructor(spec: ChipletSpec) {
    this.#vertex = new StoredPrograms(makeProgramBlocks(spec, 'vertex'));
    this.#fragment = new StoredPrograms(makeProgramBlocks(spec, 'fragment'));
  }

  /**
   * Returns the draws of a run with their arrays and lines moved. The first draw does not store
   * programs that the run before used last.
   */
  moveDraws({ draws, programs }: RecordedRun, bases: RunBases): Int32Array {
    const words = draws.slice();
    for (let at = 0; at < words.length; at += DRAW_WORDS) {
      words[at + DRAW.firstArray]! += bases.arrays;
      words[at + DRAW.listLine]! += bases.lines;
    }
    if (programs === null) return words;
    this.#runCount++;
    const { first, last } = programs;
    this.#move(this.#vertex, first.vertex, last.vertex, words, DRAW.vertexProgram);
    this.#move(this.#fragment, first.fragment, last.fragment, words, DRAW.fragmentProgram);
    return words;
  }

  #move(
    stored: StoredPrograms<string>,
    first: string,
    last: string,
    words: Int32Array,
    field: number,
  ): void {
    const isStored = (at: number) => words[at + field + PROGRAM.isStored] === 1;
    let lastStored = 0;
    for (let at = 0; at < words.length; at += DRAW_WORDS) if (isStored(at)) lastStored = at;
    for (let at = 0; at < words.length; at += DRAW_WORDS) {
      // Only the first and the last program of a run are compared with those of other runs.
      let key = `${this.#runCount}, ${at}`;
      if (!isStored(at)) key = stored.current!;
      else if (at === 0) key = first;
      else if (at === lastStored) key = last;
      stored.store(key, words[at + field + PROGRAM.lines]!, words, at + field);
    }
  }
}
