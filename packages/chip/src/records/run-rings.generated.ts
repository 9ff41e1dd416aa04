/**
 * Generated from table/rings.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */

import type { i32 } from '../portable/number-types.ts';
import {
  BLOCK_RECORD_WORDS,
  COMMAND_WORDS,
  DRAW_WORDS,
  ENTRY_WORDS,
  REMOTE_WORDS,
  VERTEX_RECORD_WORDS,
  WAIT_PLACE_WORDS,
} from './record-layout.ts';
import { RecordRing } from './record-ring.ts';

/** Numbers of the rings. */
export const RING = {
  commands: 0,
  entries: 1,
  blocks: 2,
  fragmentTraces: 3,
  fragmentTraceWords: 4,
  vertexTraceWords: 5,
  vertices: 6,
  draws: 7,
  pageHeads: 8,
  waitPlaces: 9,
  remoteRequests: 10,
  remoteReplies: 11,
  targetHomes: 12,
  remoteOutbox: 13,
} as const;
/** Number of words per record, by ring number. */
export const RING_STRIDES: readonly i32[] = [
  COMMAND_WORDS,
  ENTRY_WORDS,
  BLOCK_RECORD_WORDS,
  1,
  1,
  1,
  VERTEX_RECORD_WORDS,
  DRAW_WORDS,
  1,
  WAIT_PLACE_WORDS,
  REMOTE_WORDS,
  REMOTE_WORDS,
  1,
  REMOTE_WORDS,
];

/** Rings of records that the host writes during a run. */
export class RunRings {
  /** All rings, by ring number. */
  readonly rings: readonly RecordRing[];
  readonly commands: RecordRing;
  readonly entries: RecordRing;
  readonly blocks: RecordRing;
  readonly fragmentTraces: RecordRing;
  readonly fragmentTraceWords: RecordRing;
  readonly vertexTraceWords: RecordRing;
  readonly vertices: RecordRing;
  readonly draws: RecordRing;
  readonly pageHeads: RecordRing;
  readonly waitPlaces: RecordRing;
  readonly remoteRequests: RecordRing;
  readonly remoteReplies: RecordRing;
  readonly targetHomes: RecordRing;
  readonly remoteOutbox: RecordRing;

  constructor() {
    const commands = new RecordRing(COMMAND_WORDS, 512);
    const entries = new RecordRing(ENTRY_WORDS, 512);
    const blocks = new RecordRing(BLOCK_RECORD_WORDS, 2048);
    const fragmentTraces = new RecordRing(1, 1024);
    const fragmentTraceWords = new RecordRing(1, 2048);
    const vertexTraceWords = new RecordRing(1, 1024);
    const vertices = new RecordRing(VERTEX_RECORD_WORDS, 512);
    const draws = new RecordRing(DRAW_WORDS, 64);
    const pageHeads = new RecordRing(1, 64);
    const waitPlaces = new RecordRing(WAIT_PLACE_WORDS, 64);
    const remoteRequests = new RecordRing(REMOTE_WORDS, 256);
    const remoteReplies = new RecordRing(REMOTE_WORDS, 256);
    const targetHomes = new RecordRing(1, 64);
    const remoteOutbox = new RecordRing(REMOTE_WORDS, 256);
    this.rings = [
      commands,
      entries,
      blocks,
      fragmentTraces,
      fragmentTraceWords,
      vertexTraceWords,
      vertices,
      draws,
      pageHeads,
      waitPlaces,
      remoteRequests,
      remoteReplies,
      targetHomes,
      remoteOutbox,
    ];
    this.commands = commands;
    this.entries = entries;
    this.blocks = blocks;
    this.fragmentTraces = fragmentTraces;
    this.fragmentTraceWords = fragmentTraceWords;
    this.vertexTraceWords = vertexTraceWords;
    this.vertices = vertices;
    this.draws = draws;
    this.pageHeads = pageHeads;
    this.waitPlaces = waitPlaces;
    this.remoteRequests = remoteRequests;
    this.remoteReplies = remoteReplies;
    this.targetHomes = targetHomes;
    this.remoteOutbox = remoteOutbox;
  }
}
