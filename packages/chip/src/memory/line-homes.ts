/**
 * Chiplet whose memory holds a line: its home. It follows from the address and the placement of the
 * resource class that the address belongs to.
 */
import { divide, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import type { RunPlan } from '../records/run-plan.generated.ts';
import { SharedMemory } from '../records/shared-memory.generated.ts';
import { PLACEMENT } from '../records/spec-choices.generated.ts';
import { AWAITED_HOME, PageHomes, UNKNOWN_HOME } from './page-homes.ts';
import { INTERLEAVED_HOME, TargetHomes } from './target-homes.ts';

/** Upper bound on the address spaces of chiplets that share their memories. */
export const MAX_SPACES = 64;
/** Placement of a line of a drawn texture, beside those of PLACEMENT. */
const DRAWN = 100;

/** Homes of all lines, as one chiplet knows them. */
export class LineHomes {
  readonly shared: SharedMemory = new SharedMemory();
  /** Homes of pages that are placed by their first access. */
  readonly pages: PageHomes = new PageHomes();
  /** Homes of textures that earlier passes drew. */
  readonly targets: TargetHomes = new TargetHomes(MAX_SPACES);
  private readonly pageLog2: i32;
  /** Address space that a line was in last, and its first line. */
  private space: i32 = 0;
  private spaceStart: i32 = 0;
  /** Ends of the buffers and starts of the streams, by address space. */
  private readonly buffersEnds: Int32Array = new Int32Array(MAX_SPACES);
  private readonly streamStarts: Int32Array = new Int32Array(MAX_SPACES);

  /** @param pageBytes Size of a page that has one home, a power of two. */
  constructor(pageBytes: i32) {
    this.pageLog2 = log2(divide(pageBytes, LINE_BYTES));
  }

  /**
   * Sets the placements for the next runs.
   *
   * @param words Words of SHARED_MEMORY_WORDS.
   * @throws {Error} If there are too many address spaces.
   */
  begin(words: Int32Array): void {
    this.shared.load(words);
    this.space = 0;
    this.spaceStart = 0;
    if (this.shared.spaceCount > MAX_SPACES) {
      throw new Error(`shared memory: more than ${MAX_SPACES} address spaces`);
    }
    this.pages.reset();
    this.targets.reset();
  }

  /** Sets the limits of the classes in the address space of a run. */
  open(plan: RunPlan): void {
    const space = divide(plan.buffersEndLine, this.shared.spaceLines);
    this.buffersEnds[space] = plan.buffersEndLine;
    this.streamStarts[space] = plan.streamsLine;
  }

  /** Returns the placement of a line. Lines outside of all classes are in every memory. */
  placementOf(line: i32): i32 {
    const shared = this.shared;
    const space = this.spaceOf(line);
    if (space >= shared.spaceCount) return PLACEMENT.replicated;
    const place = line - this.spaceStart;
    if (place >= shared.texturesLine && place < shared.texturesEndLine) {
      return this.targets.has(space, line) ? DRAWN : shared.textures;
    }
    if (place < shared.userLine || place >= shared.userEndLine) return PLACEMENT.replicated;
    if (line < this.buffersEnds[space]!) return shared.buffers;
    return line >= this.streamStarts[space]! ? shared.streams : PLACEMENT.replicated;
  }

  /** Returns the address space of a line, often that of the line before. */
  private spaceOf(line: i32): i32 {
    const lines = this.shared.spaceLines;
    const place = line - this.spaceStart;
    if (place < 0 || place >= lines) {
      this.space = divide(line, lines);
      this.spaceStart = this.space * lines;
    }
    return this.space;
  }

  /** Returns whether a line is in the region of textures. Finished bins are stored there, too. */
  isOfTextures(line: i32): boolean {
    const shared = this.shared;
    const place = line % shared.spaceLines;
    return place >= shared.texturesLine && place < shared.texturesEndLine;
  }

  /** Returns the home of a line whose pages are in the memories in turn. */
  turnOf(line: i32): i32 {
    return this.pageOf(line) % this.shared.chipletCount;
  }

  pageOf(line: i32): i32 {
    return line >>> this.pageLog2;
  }

  /** Returns the home of a line, UNKNOWN_HOME or AWAITED_HOME. */
  homeOf(line: i32): i32 {
    const shared = this.shared;
    const placement = this.placementOf(line);
    if (placement === PLACEMENT.replicated) return shared.chiplet;
    if (placement === PLACEMENT.home) return 0;
    if (placement === PLACEMENT.interleaved) return this.turnOf(line);
    if (placement === DRAWN) return this.drawnHomeOf(line);
    const page = this.pageOf(line);
    const home = this.pages.homeOf(page);
    const isOwn = home === UNKNOWN_HOME && this.directoryOf(page) === shared.chiplet;
    return isOwn ? this.decide(page, shared.chiplet) : home;
  }

  private drawnHomeOf(line: i32): i32 {
    const shared = this.shared;
    const home = this.targets.homeOf(this.spaceOf(line), line);
    if (home === INTERLEAVED_HOME) return this.turnOf(line);
    return home >= 0 ? home : shared.chiplet;
  }

  /** Returns the chiplet that decides on the home of a page. */
  directoryOf(page: i32): i32 {
    return page % this.shared.chipletCount;
  }

  /**
   * Returns the home of a page of this chiplet's directory. The first chiplet that accesses the
   * page becomes its home.
   */
  decide(page: i32, chiplet: i32): i32 {
    const home = this.pages.homeOf(page);
    if (home !== UNKNOWN_HOME) return home;
    this.pages.set(page, chiplet);
    return chiplet;
  }

  /** Records that the directory of a page was asked. */
  await(page: i32): void {
    this.pages.set(page, AWAITED_HOME);
  }

  /** Removes what is known of pages from line `first` to before `end`. */
  dropLines(first: i32, end: i32): void {
    const last = (1 << this.pageLog2) - 1;
    this.pages.drop(this.pageOf(first + last), this.pageOf(end));
    this.targets.dropLines(first, end, this.shared.spaceLines);
  }
}
