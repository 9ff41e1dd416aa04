/**
 * Records the work of the functional kernels for the simulated chip, batch by batch: primitives
 * with their vertices, each primitive's walk through the seven levels, blocks with raster and depth
 * masks, texture lookups and loops of warps.
 *
 * The recorder reads what the kernels left in memory. It changes one thing, which images do not
 * depend on: it sorts a primitive's quads into the order in which the simulated chip packs them
 * into warps.
 *
 * It is one file because each record refers to those before it.
 */

import {
  BATCH_END,
  BLOCK,
  COMMAND,
  COMMAND_WORDS,
  COPY,
  DRAW,
  DRAW_STATE,
  DRAW_WORDS,
  ENTRY,
  ENTRY_BATCH_END,
  ENTRY_PRIMITIVE,
  ENTRY_WORDS,
  LEVEL_COUNT,
  LINE_BYTES,
  MARK_BATCH,
  MARK_END,
  MARK_FLUSH,
  PRIMITIVE,
  RUN_END,
  SNAPSHOT,
  STREAM_END,
} from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { Counters, RecordedRun, RectPx } from '@tessera/frame';
import type { BoundDraw, VertexStage } from '../command/bound-draw.ts';
import { findIndices, type IndexPlaces } from '../command/index-places.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import { type TimedDraw, TimedDraws } from '../command/timed-draw.ts';
import type { GeometryUnit } from '../geometry/geometry-unit.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { colorLinesOf, layOutTargets } from '../output/target/target-layout.ts';
import { boundOf } from '../raster/hardware/block-depths.ts';
import { EntryWalk, type WalkedDraw } from '../raster/hardware/entry-walk.ts';
import { TargetCompression } from '../raster/hardware/target-compression.ts';
import { BatchLines } from '../run-log/batch-lines.ts';
import { GroupLog } from '../run-log/group-log.ts';
import { PlainTraces } from '../run-log/plain-traces.ts';
import { QuadTraces } from '../run-log/quad-traces.ts';
import type { TextureLines } from '../run-log/texture-lines.ts';
import { makeVertexLog } from '../run-log/vertex-traces.ts';
import type { ExecutionLog, LogListener } from '../shading/execution-log.ts';
import type { SampleRound } from '../shading/sample-rounds.ts';
import type { ChipTiming, RunTimings } from '../timing/chip-timing.ts';
import { operationTimingsOf } from '../timing/operation-timings.ts';
import { RecordKeeper } from '../timing/record-keeper.ts';
import type { BinRun } from './bin-run.ts';
import { type CopyLines, CopyWorkTimer } from './copy-work-timer.ts';
import { DrawRecords } from './draw-records.ts';
import type { RoundListener } from './fragment-shading.ts';
import { WarpCounting } from './warp-counting.ts';

/** Counters of tile traversal, by level. */
const SUB_TILE_COUNTERS = Array.from(
  { length: LEVEL_COUNT },
  (_, level) => `tileTraversal.subTilesLevel${level + 1}` as 'tileTraversal.subTilesLevel1',
);

/** Rectangle and targets of a run that draws nothing. */
export const NO_RECT: RectPx = { x: 0, y: 0, width: 0, height: 0 };
const NO_TARGETS = layOutTargets([]);

/** A run: timed, or as records that are timed later. */
export type FinishedRun =
  | { readonly timings: RunTimings; readonly records: null; readonly counters: Counters }
  | { readonly timings: null; readonly records: RecordedRun; readonly counters: Counters };

/** Recorder of one chiplet; reused for all its runs. */
export class BinRecorder implements LogListener, RoundListener {
  /** Frame that is drawn; set before each run. */
  frame: ResidentFrame | null = null;
  /** Number of entries of visibility streams that the batch has so far. */
  streamEntries = 0;
  /** Bytes of the segment of streamed visibility that ends with the batch; 0 for none. */
  segmentBytes = 0;
  readonly #memory: ChipletMemory;
  readonly #executionLog: ExecutionLog;
  /** Takes the records: simulated chips, or a keeper. */
  readonly #timing: ChipTiming | RecordKeeper;
  /** Times the work of the copy engine. */
  readonly copyWork = new CopyWorkTimer(this);
  readonly #spec: ChipletSpec;
  readonly #timedDraws: TimedDraws;
  readonly #entryWalk: EntryWalk;
  readonly #hasPageLists: boolean;
  readonly #compression: TargetCompression;
  readonly #drawNumbers = new Map<BoundDraw, number>();
  /** Draw that began last. */
  #lastBound: BoundDraw | null = null;
  #lastNumber = 0;
  readonly #timedByNumber: TimedDraw[] = [];
  readonly warpCounting: WarpCounting;
  readonly #textureLinesByNumber: TextureLines[] = [];
  readonly #walkedByNumber: WalkedDraw[] = [];
  readonly #warpQuads: number;
  readonly quadTraces: QuadTraces;
  readonly #plainTraces: PlainTraces;
  /** Round of the warp that is shaded; `null` for lists that run once. */
  #round: SampleRound | null = null;
  readonly #batchLines: BatchLines;
  readonly #vertexLog = new GroupLog();
  /** Index of the draw whose quads are in the list. */
  #listedDraw = 0;
  #firstVertex = 0;
  #segmentVertices = 0;
  #ids: Uint32Array = new Uint32Array(0);
  #firstId = 0;
  #indices: IndexPlaces | null = null;
  #draws: DrawRecords | null = null;
  /** Whether the primitives that follow are those of a visibility phase with an early bin. */
  #isEarly = false;

  constructor(
    memory: ChipletMemory,
    spec: ChipletSpec,
    timing: ChipTiming | RecordKeeper,
    executionLog: ExecutionLog,
  ) {
    this.#executionLog = executionLog;
    this.#memory = memory;
    this.#timing = timing;
    this.#spec = spec;
    this.#timedDraws = new TimedDraws(operationTimingsOf(spec));
    this.#warpQuads = spec.warpThreads / 4;
    this.#entryWalk = new EntryWalk(memory, spec, timing.log);
    this.#hasPageLists = spec.pageStructure === 'list';
    this.#compression = new TargetCompression(memory, spec);
    this.#batchLines = new BatchLines(memory);
    this.quadTraces = new QuadTraces(memory, timing.log, this.#warpQuads);
    this.#plainTraces = new PlainTraces(timing.log);
    this.warpCounting = new WarpCounting(spec);
  }

  /**
   * Starts a run.
   *
   * @param passIndex Pass whose draws follow. `null` for copies, which have one object.
   */
  begin(
    passIndex: number | null,
    {
      rect,
      clearDepth = 0,
      contents = null,
      stream = { bytes: 0, primitives: 0 },
      targets = NO_TARGETS,
      isEarly = false,
    }: BinRun,
  ): void {
    const { addresses } = this.#frame();
    const { user } = addresses;
    const { sampleCount } = targets;
    this.#executionLog.listener = this;
    this.#timing.begin({
      rect,
      sampleCount,
      colorLines: colorLinesOf(targets),
      isColorLoaded: contents?.colorBufferIndices.some((index) => index !== null) ?? false,
      isDepthLoaded: contents !== null && (contents.isDepthLoaded || contents.isStencilLoaded),
      isDepthStored: contents?.isDepthStencilStored ?? false,
      depthBound: boundOf(clearDepth),
      imageLine: addresses.regions.images.baseBytes / LINE_BYTES,
      imageLines: Math.floor(addresses.regions.images.sizeBytes / LINE_BYTES),
      ...addresses.batchPlaces,
      earlyLine: isEarly ? addresses.earlyLine : 0,
      pageTableLine: addresses.pageTableLine,
      // A visibility phase, which reads no stream, has no batches in memory unless it renders a
      // bin.
      ...(stream.bytes > 0 || isEarly ? {} : { batchLines: 0 }),
      streamLine: user.streamBase(passIndex ?? 0, stream.bytes) / LINE_BYTES,
      streamBytes: stream.bytes,
      streamPrimitives: stream.primitives,
      buffersEndLine: user.buffersEnd / LINE_BYTES,
      streamsLine: user.streamBase(passIndex ?? 0, 0) / LINE_BYTES,
    });
    if (this.#hasPageLists) this.#addPageHeads(user.pageHeads(passIndex));
    this.#isEarly = isEarly;
    this.#draws = new DrawRecords(this.#spec, this.#timing.log);
    this.#drawNumbers.clear();
    this.#lastBound = null;
    this.#timedByNumber.length = 0;
    this.warpCounting.begin();
    this.#textureLinesByNumber.length = 0;
    this.#walkedByNumber.length = 0;
    this.quadTraces.reset();
    this.#batchLines.clear();
    this.#firstVertex = 0;
    this.#segmentVertices = 0;
    this.streamEntries = 0;
    this.segmentBytes = 0;
    this.#entryWalk.begin(sampleCount);
    this.#compression.begin(rect, targets, this.#timing.log.blocks);
  }

  #addPageHeads(heads: readonly number[]): void {
    const { pageHeads } = this.#timing.log;
    for (const [i, page] of heads.entries()) {
      pageHeads.words[pageHeads.append()] = 2 * page + (i === heads.length - 1 ? 1 : 0);
    }
  }

  /**
   * Starts a draw. The following primitives belong to it.
   *
   * @param hasFragments Whether the fragment program is stored for the draw.
   */
  beginDraw(bound: BoundDraw, stage: VertexStage, hasFragments = true): void {
    const frame = this.#frame();
    const timed = this.#timedDraws.of(frame, bound, stage);
    const number = this.#draws!.add(frame, bound, stage, timed, hasFragments);
    this.#drawNumbers.set(bound, number);
    this.#lastBound = bound;
    this.#lastNumber = number;
    this.#timedByNumber.push(timed);
    this.warpCounting.beginDraw(bound, stage, timed);
    this.#textureLinesByNumber.push(frame.textureLines(bound));
    const { isTestEnabled, isWriteEnabled } = bound.draw.state.depth;
    this.#walkedByNumber.push({
      number,
      hierarchicalDepth: timed.hierarchicalDepth,
      hasDepths: isTestEnabled || isWriteEnabled,
    });
    this.#indices = findIndices(bound, frame.addresses);
    this.#command(DRAW_STATE, number);
  }

  /**
   * Records a snapshot of the output merger's counter, at the beginning or the end of a query.
   *
   * @param query Index of the query in its pass.
   */
  addSnapshot(query: number): void {
    const at = this.#command(SNAPSHOT, 0);
    const { words } = this.#timing.log.commands;
    words[at + COMMAND.snapshotLine] = this.#frame().addresses.user.queryLine(query);
  }

  /**
   * Starts a segment of the draw. The post-transform cache holds none of its vertices.
   *
   * @param ids Primitives of the draw; those of the segment start at index `start`.
   */
  beginSegment(
    { vertexCount, vertexIds, instanceIds }: GeometryUnit,
    ids: Uint32Array,
    start: number,
  ): void {
    this.#firstVertex += this.#segmentVertices;
    this.#segmentVertices = vertexCount;
    this.#ids = ids;
    this.#firstId = start;
    const { vertices } = this.#timing.log;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const at = vertices.append();
      vertices.words[at] = vertexIds[vertex]!;
      vertices.words[at + 1] = instanceIds[vertex]!;
    }
  }

  /**
   * Records a primitive that passed assembly, clipping and setup.
   *
   * @param corners Indices of vertices in the segment; the primitive's start at `firstCorner`.
   * @param pieces Number of raster records.
   * @param entries Number of bin lists that contain them, or of lines of transform feedback.
   * @param feedbackLine First of these lines; 0 for none.
   * @param early For a primitive that an early bin takes, 1 plus the number of its fine-bin lists;
   *   otherwise 0.
   */
  addPrimitive(
    bound: BoundDraw,
    corners: Int32Array,
    firstCorner: number,
    pieces: number,
    entries: number,
    isClipped: boolean,
    feedbackLine = 0,
    early = 0,
  ): void {
    const { commands } = this.#timing.log;
    const at = this.#command(PRIMITIVE, this.#numberOf(bound));
    const { words } = commands;
    for (let corner = 0; corner < 3; corner++) {
      words[at + COMMAND.vertex + corner] =
        corner < bound.corners ? this.#firstVertex + corners[firstCorner + corner]! : -1;
    }
    const indices = this.#indices;
    words[at + COMMAND.firstIndexLine] = -1;
    if (indices !== null) {
      const id = this.#ids[this.#firstId + firstCorner / bound.corners]!;
      const { primitivesPerInstance } = bound;
      const inInstance = id < primitivesPerInstance ? id : id % primitivesPerInstance;
      const from = indices.baseBytes + indices.primitiveBytes * inInstance;
      const to = from + indices.readBytes - 1;
      words[at + COMMAND.firstIndexLine] = Math.floor(from / LINE_BYTES);
      words[at + COMMAND.lastIndexLine] = Math.floor(to / LINE_BYTES);
    }
    const draw = words[at + COMMAND.draw]! * DRAW_WORDS;
    if (!this.#isEarly || early > 0) {
      this.#batchLines.addRecords(pieces, this.#timing.log.draws[draw + DRAW.recordLines]!);
    }
    words[at + COMMAND.pieces] = pieces;
    words[at + COMMAND.entries] = entries;
    words[at + COMMAND.isClipped] = isClipped ? 1 : 0;
    words[at + COMMAND.feedbackLine] = feedbackLine;
    words[at + COMMAND.early] = early;
  }

  /**
   * Records the walk of entries `first` to `end` − 1 of a fine bin, all of one draw.
   *
   * @param firstQuad Index of their first quad in the quad list.
   * @param endQuad Index after their last quad.
   */
  addWalk(
    bound: BoundDraw,
    first: number,
    end: number,
    rect: RectPx,
    firstQuad: number,
    endQuad: number,
  ): void {
    const number = this.#numberOf(bound);
    this.#listedDraw = number;
    const { entries, blocks } = this.#timing.log;
    const from = entries.end;
    const fromBlock = blocks.end;
    this.#entryWalk.walk(this.#walkedByNumber[number]!, first, end, rect, firstQuad, endQuad);
    if (this.#timedByNumber[number]!.depthStage === 'early') {
      this.#compression.markDepth(blocks, fromBlock);
    }
    this.#batchLines.placeEntries(entries, from, first);
  }

  /** Records shaded vertices that the next segment refers to. */
  onVertices(groupPtr: number, groupBytes: number, groupCount: number, firstVertex: number): void {
    this.#vertexLog.index(this.#memory, groupPtr, groupBytes, groupCount);
    const copy = this.#vertexLog.copy(this.#memory, groupCount);
    const { vertexSites } = this.#timedByNumber[this.#lastNumber]!;
    const textureLines = this.#textureLinesByNumber[this.#lastNumber]!;
    const first = this.#firstVertex + this.#segmentVertices + firstVertex;
    const log = makeVertexLog(copy, vertexSites, textureLines, first, 4 * groupCount);
    this.#timing.log.vertexTraces.add(log);
  }

  /** Records shaded quads of the list, in full warps except for the last. */
  onQuads(groupPtr: number, groupBytes: number, groupCount: number): void {
    const { fragmentSites } = this.#timedByNumber[this.#listedDraw]!;
    const textureLines = this.#textureLinesByNumber[this.#listedDraw]!;
    const tally = this.warpCounting.fragmentTally(this.#listedDraw);
    const { quadTraces } = this;
    const round = this.#round;
    quadTraces.add(groupPtr, groupBytes, groupCount, fragmentSites, textureLines, tally, round);
  }

  /** Records that the next quads are those of a round of a warp of the list. */
  addRound(bound: BoundDraw, round: SampleRound): void {
    this.#round = round;
    const number = this.#numberOf(bound);
    const { sites, cost } = this.#timedByNumber[number]!.fragmentSites;
    if (sites.length > 0) return; // Its trace is formed when it is shaded.
    this.warpCounting.addPlainWarps(number, 1, round.quads);
    this.#plainTraces.addRound(cost, round.isLast);
  }

  /** Number of samples in the recorded masks. */
  get fragmentsCovered(): number {
    return this.#entryWalk.fragmentsCovered;
  }

  #frame(): ResidentFrame {
    if (this.frame === null) throw new Error('recorder: no frame is set');
    return this.frame;
  }

  /**
   * Records that the list of `quadCount` quads of a draw was shaded and emptied. No warp continues
   * beyond it.
   */
  endList(bound: BoundDraw, quadCount: number): void {
    this.#compression.endList(this.#timing.log.blocks);
    this.#mark(MARK_FLUSH);
    const number = this.#numberOf(bound);
    const { sites, cost } = this.#timedByNumber[number]!.fragmentSites;
    const hasRounds = this.#round !== null;
    this.#round = null;
    if (hasRounds || sites.length > 0) return; // Their traces were formed when they were shaded.
    const warps = Math.ceil(quadCount / this.#warpQuads);
    this.warpCounting.addPlainWarps(number, warps, quadCount);
    for (let warp = 0; warp < warps; warp++) this.#plainTraces.add(cost);
  }

  /** Closes the batch after its pixel phase. Simulates up to the end of the records. */
  endBatch(): void {
    this.#mark(MARK_BATCH);
    this.#endEntries();
    const { commands } = this.#timing.log;
    const at = this.#command(BATCH_END, 0);
    commands.words[at + COMMAND.streamEntries] = this.streamEntries;
    commands.words[at + COMMAND.segmentBytes] = this.segmentBytes;
    this.streamEntries = 0;
    this.segmentBytes = 0;
    if (this.#isEarly) this.#batchLines.follow();
    else {
      commands.words[at + COMMAND.entries] = this.#batchLines.listLines;
      this.#batchLines.clear();
    }
    this.#timing.advance();
  }

  /** Ends a visibility phase with an early bin. What follows is the rest of the bin. */
  endPhase(): void {
    this.#isEarly = false;
    this.#batchLines.clear();
    this.#command(STREAM_END, 0);
  }

  /**
   * Finishes the run.
   *
   * @param outputBytes Bytes that leave the chiplet at the end.
   * @param streamBytes Bytes that leave it earlier, with the visibility streams.
   */
  finish(outputBytes: number, streamBytes = 0): FinishedRun {
    this.#mark(MARK_END);
    this.#endEntries();
    this.#command(RUN_END, 0);
    const timing = this.#timing;
    this.warpCounting.finish(timing.log);
    if (timing instanceof RecordKeeper) {
      const counters = { 'textureUnit.requestsLogged': 0, 'textureUnit.linesLogged': 0 };
      this.#addCounters(counters);
      const records = timing.finish(outputBytes, streamBytes);
      this.warpCounting.keep(records);
      return { timings: null, records, counters };
    }
    const timings = timing.finish(outputBytes, streamBytes);
    for (const { counters } of [timings, ...timings.alternatives]) this.#addCounters(counters);
    return { timings, records: null, counters: timings.counters };
  }

  /** Times copies in a run of their own. */
  timeCopies(copies: readonly CopyLines[]): RunTimings {
    this.begin(null, { rect: NO_RECT });
    for (const { sourceLine, readLines, intoLine, writtenLines } of copies) {
      const at = this.#command(COPY, 0);
      const { words } = this.#timing.log.commands;
      words[at + COMMAND.copySourceLine] = sourceLine;
      words[at + COMMAND.copyReadLines] = readLines;
      words[at + COMMAND.copyIntoLine] = intoLine;
      words[at + COMMAND.copyWrittenLines] = writtenLines;
    }
    const { timings } = this.finish(0);
    if (timings === null) throw new Error('recorder: copies need simulated chips');
    return timings;
  }

  /** Adds counters of the records to those of a chip. */
  #addCounters(counters: Counters): void {
    // The chip counted lookups of vertices.
    counters['textureUnit.requestsLogged']! += this.quadTraces.lookups;
    counters['textureUnit.linesLogged']! += this.quadTraces.lines;
    for (const [level, name] of SUB_TILE_COUNTERS.entries()) {
      counters[name] = this.#entryWalk.subTilesPassed[level]!;
    }
  }

  /** Returns the number of a draw, usually that of the draw that began last. */
  #numberOf(bound: BoundDraw): number {
    return bound === this.#lastBound ? this.#lastNumber : this.#drawNumbers.get(bound)!;
  }

  /**
   * Adds a command. Fields that its kind does not have are 0, so records depend on the run only.
   */
  #command(kind: number, draw: number): number {
    const { commands } = this.#timing.log;
    const at = commands.append();
    const { words } = commands;
    words[at + COMMAND.kind] = kind;
    words[at + COMMAND.draw] = draw;
    for (let word = COMMAND.draw + 1; word < COMMAND_WORDS; word++) words[at + word] = 0;
    return at;
  }

  #endEntries(): void {
    const { entries } = this.#timing.log;
    const at = entries.append();
    entries.words.fill(0, at, at + ENTRY_WORDS);
    entries.words[at + ENTRY.kind] = ENTRY_BATCH_END;
  }

  #mark(mark: number): void {
    const { entries, blocks } = this.#timing.log;
    const at = entries.append();
    entries.words.fill(0, at, at + ENTRY_WORDS);
    entries.words[at + ENTRY.kind] = ENTRY_PRIMITIVE;
    entries.words[at + ENTRY.steps] = 1;
    entries.words[at + ENTRY.firstBlock] = blocks.end;
    entries.words[at + ENTRY.blockCount] = 1;
    const block = blocks.append();
    blocks.words[block + BLOCK.position] = 0;
    blocks.words[block + BLOCK.masks] = 0;
    blocks.words[block + BLOCK.draw] = mark;
    blocks.words[block + BLOCK.depths] = 0;
  }
}
