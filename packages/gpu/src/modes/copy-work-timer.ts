/**
 * Times the work of the copy engine for a pass: resources that are stored, mipmap levels that are
 * generated, samples that are resolved, and copies from targets. Each resource and each copy is a
 * run of its own with a fixed place in its region of memory, so its cycles depend on the
 * specification and its size alone and are computed once.
 */
import { LINE_BYTES } from '@tessera/chip/records';
import type { CopyEngineWork, CopyTiming, Counters, TextureResource } from '@tessera/frame';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { RegionName } from '../memory-manager/address-map.ts';
import type { Region } from '../memory-manager/user-area.ts';
import type { StoredTexture } from '../texture/layout/stored-texture.ts';
import { alternativeCyclesOf, type RunTimings } from '../timing/chip-timing.ts';

/** Size of a resolved pixel. */
const RGBA8_BYTES = 4;

/** Upper bound on the timings that are kept. */
const MAX_KEPT = 4096;

/** A copy in lines of memory. */
export interface CopyLines {
  readonly sourceLine: number;
  /** Number of lines that are read; 0 for an upload. */
  readonly readLines: number;
  readonly intoLine: number;
  readonly writtenLines: number;
}

/** Runs copies on the simulated chip. */
export interface CopyRunner {
  timeCopies(copies: readonly CopyLines[]): RunTimings;
}

/** Timer of one recorder's chips. */
export class CopyWorkTimer {
  readonly #runner: CopyRunner;
  readonly #kept = new Map<string, CopyTiming>();

  constructor(runner: CopyRunner) {
    this.#runner = runner;
  }

  /** Times the work for a pass of its own. */
  time(resident: ResidentFrame): CopyEngineWork {
    const { buffers, textures, commands } = resident.frame;
    const { regions } = resident.addresses;
    const list = new TimingList((copies) => this.#timeOnce(copies));
    const stored = textures.map((texture, index) => ({
      texture,
      layout: resident.storedTexture(index),
    }));
    const stores = [
      ...buffers.map(({ bytes }) => list.add([storeOf(regions.user, bytes.length)])),
      ...stored.map(({ texture, layout }) =>
        list.add([storeOf(regions.textures, givenBytesOf(texture, layout))]),
      ),
    ];
    const mipmaps = stored.map(({ texture, layout }) =>
      list.add(mipmapsOf(firstLineOf(regions, 'textures'), texture, layout)),
    );
    const copies = (commands.copies ?? []).map(({ readBytes, writtenBytes }) =>
      list.add([copyOf(regions, 'textures', readBytes, writtenBytes)]),
    );
    const { isResolved, sampleCount = 1 } = commands.passes[0]!;
    if (!isResolved) return { timings: list.timings, stores, mipmaps, copies };
    const { widthPx, heightPx } = commands.grid;
    const writtenBytes = RGBA8_BYTES * widthPx * heightPx;
    const resolve = list.add([copyOf(regions, 'images', writtenBytes * sampleCount, writtenBytes)]);
    return { timings: list.timings, stores, mipmaps, copies, resolve };
  }

  #timeOnce(copies: readonly CopyLines[]): CopyTiming {
    const key = JSON.stringify(copies);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const run = this.#runner.timeCopies(copies);
    const timing: CopyTiming = {
      cycles: run.cycles,
      ...alternativeCyclesOf(run, ({ cycles }) => cycles),
      counters: withoutZeros(run.counters),
    };
    if (this.#kept.size === MAX_KEPT) this.#kept.clear();
    this.#kept.set(key, timing);
    return timing;
  }
}

/** List of different timings. */
class TimingList {
  readonly timings: CopyTiming[] = [];
  readonly #time: (copies: readonly CopyLines[]) => CopyTiming;
  readonly #indices = new Map<CopyTiming, number>();

  constructor(time: (copies: readonly CopyLines[]) => CopyTiming) {
    this.#time = time;
  }

  /** Returns the index of the timing of copies; −1 if nothing is written. */
  add(copies: readonly CopyLines[]): number {
    if (copies.every(({ writtenLines }) => writtenLines === 0)) return -1;
    const timing = this.#time(copies);
    let index = this.#indices.get(timing);
    if (index === undefined) {
      index = this.timings.push(timing) - 1;
      this.#indices.set(timing, index);
    }
    return index;
  }
}

function linesOf(bytes: number): number {
  return Math.ceil(bytes / LINE_BYTES);
}

function firstLineOf(regions: Readonly<Record<RegionName, Region>>, name: RegionName): number {
  return regions[name].baseBytes / LINE_BYTES;
}

/** Returns a copy from targets into a region. */
function copyOf(
  regions: Readonly<Record<RegionName, Region>>,
  into: RegionName,
  readBytes: number,
  writtenBytes: number,
): CopyLines {
  return {
    sourceLine: firstLineOf(regions, 'images'),
    readLines: linesOf(readBytes),
    intoLine: firstLineOf(regions, into),
    writtenLines: linesOf(writtenBytes),
  };
}

function storeOf({ baseBytes }: Region, bytes: number): CopyLines {
  const intoLine = baseBytes / LINE_BYTES;
  return { sourceLine: 0, readLines: 0, intoLine, writtenLines: linesOf(bytes) };
}

/** Returns the size of the levels that come with a texture, as they are stored. */
function givenBytesOf({ levels }: TextureResource, layout: StoredTexture): number {
  return layout.levels
    .slice(0, levels.length)
    .reduce((sum, { sliceBytes, sliceCount }) => sum + sliceBytes * sliceCount, 0);
}

/** Lists the copies that generate levels, each from the one before it. */
function mipmapsOf(
  firstLine: number,
  { levels: given, isMipmapGenerated }: TextureResource,
  { levels }: StoredTexture,
): CopyLines[] {
  if (!isMipmapGenerated) return [];
  const placeOf = (level: number) => {
    const { offsetBytes, sliceBytes, sliceCount } = levels[level]!;
    const line = firstLine + offsetBytes / LINE_BYTES;
    return { line, lines: (sliceBytes * sliceCount) / LINE_BYTES };
  };
  return levels.slice(given.length).map((_, i) => {
    const [from, to] = [placeOf(given.length + i - 1), placeOf(given.length + i)];
    return {
      sourceLine: from.line,
      readLines: from.lines,
      intoLine: to.line,
      writtenLines: to.lines,
    };
  });
}

function withoutZeros(counters: Counters): Counters {
  return Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0));
}
