/**
 * Measurements of frames on one chiplet, each made once. The key of a measurement is a hash of
 * everything that determines it: the frame's content, the chiplet's specification, the setting, and
 * the sources of the simulator. It does not include names and paths of scenes.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import type { Counters, Coupling, Frame, Sha256, VisibilityShader } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { type FrameMeasurement, hashFrame, ProgramCache } from '@tessera/multi-chiplet';
import { sumCounters } from '@tessera/study';

/** Options that affect the measurement of a frame. */
export interface MeasureSetting {
  /** Requested number of coarse bins. */
  readonly bins: number;
  readonly visibility: VisibilityShader;
  /** Whether chiplet 0 may render a bin during the visibility phase; true by default. */
  readonly rendersEarlyBin?: boolean;
  /** Number of chiplets that share the visibility phase; 1 by default. */
  readonly visibilityChiplets?: number;
  /** Number of chiplets among which `sort-last` divides the draws; missing for binned frames. */
  readonly sortLastChiplets?: number;
  /** With `exact`, the measurement has records, which are not kept. Default: none. */
  readonly coupling?: Coupling;
}

/** Measurement of a frame. */
export interface StoredMeasurement extends FrameMeasurement {
  /** Counters of the frame, summed over its chiplets; missing without `coupling: exact`. */
  readonly counters?: Counters | undefined;
}

/** Scene as the store reads it. */
export interface MeasuredFrame {
  readonly read: (programs: ProgramCache) => Promise<Frame>;
}

/** Measurements by key, in memory and optionally in a file. */
export class MeasurementStore {
  readonly #path: string | undefined;
  readonly #simulator: Sha256;
  readonly #byKey = new Map<Sha256, FrameMeasurement>();

  private constructor(path: string | undefined, simulator: Sha256) {
    this.#path = path;
    this.#simulator = simulator;
  }

  /**
   * @param path File of JSON lines in which measurements are kept from one run to the next; created
   *   if missing.
   */
  static async open(path?: string): Promise<MeasurementStore> {
    const store = new MeasurementStore(path, await hashSimulator());
    const text = path === undefined ? '' : await readIfThere(path);
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const { key, measurement } = JSON.parse(line) as {
        readonly key: Sha256;
        readonly measurement: FrameMeasurement;
      };
      store.#byKey.set(key, measurement);
    }
    return store;
  }

  /**
   * Measures a frame with each setting, on one chiplet of the default specification with cycle
   * timing.
   *
   * @throws {RenderError} If the frame cannot be read or rendered.
   */
  async measure(
    scene: MeasuredFrame,
    settings: readonly MeasureSetting[],
  ): Promise<StoredMeasurement[]> {
    const frame = await scene.read(new ProgramCache());
    const frameSha256 = hashFrame(frame);
    const measurements: StoredMeasurement[] = [];
    for (const setting of settings) {
      if (setting.coupling === 'exact') {
        measurements.push(await measureFrame(frame, setting));
        continue;
      }
      const key = this.#keyOf(frameSha256, setting);
      const measurement = this.#byKey.get(key) ?? (await measureFrame(frame, setting));
      measurements.push(measurement);
      if (this.#byKey.has(key)) continue;
      this.#byKey.set(key, measurement);
      if (this.#path !== undefined) {
        await appendFile(this.#path, `${JSON.stringify({ key, measurement })}\n`);
      }
    }
    return measurements;
  }

  #keyOf(frame: Sha256, { coupling: _, ...setting }: MeasureSetting): Sha256 {
    const spec = summarizeSpec(DEFAULT_CHIPLET_SPEC);
    const { bins, visibility, rendersEarlyBin = true, visibilityChiplets = 1 } = setting;
    const { sortLastChiplets } = setting;
    const options = { bins, visibility, rendersEarlyBin, visibilityChiplets, sortLastChiplets };
    const parts = { frame, spec, ...options, simulator: this.#simulator };
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }
}

async function measureFrame(frame: Frame, setting: MeasureSetting): Promise<StoredMeasurement> {
  const { bins, visibility, rendersEarlyBin = true, coupling = 'none' } = setting;
  const { visibilityChiplets = 1, sortLastChiplets } = setting;
  const chipletCount = sortLastChiplets ?? visibilityChiplets;
  const { measurement, report } = await new LocalGpu({ chipletCount }).render(frame, {
    visibilityChiplets,
    organization: sortLastChiplets === undefined ? 'binned' : 'sort-last',
    policy: 'static',
    grid: { kind: 'bins', count: bins },
    visibilityShader: visibility,
    visibilitySwitches: { rendersEarlyBin },
    timing: 'cycle',
    coupling,
  });
  return coupling === 'none'
    ? measurement
    : { ...measurement, counters: sumCounters(report.chiplets) };
}

const PACKAGES = resolve(import.meta.dirname, '../../../..');
/** Packages whose sources determine the measurement of a given frame. */
const SIMULATOR = ['chiplet-spec', 'frame', 'shader', 'chip', 'gpu', 'multi-chiplet'];

/** Hashes the sources, or in a published package its bundle. */
async function hashSimulator(): Promise<Sha256> {
  const hash = createHash('sha256');
  const isBundle = !existsSync(join(PACKAGES, SIMULATOR[0]!, 'src'));
  const folders = isBundle
    ? [import.meta.dirname]
    : SIMULATOR.map((name) => join(PACKAGES, name, 'src'));
  for (const folder of folders) {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((f) => join(f.parentPath, f.name));
    for (const path of paths.sort()) {
      if (/\.test\.ts$|\/testing\//.test(path)) continue;
      hash.update(`${relative(isBundle ? folder : PACKAGES, path)}\n`).update(await readFile(path));
    }
  }
  return hash.digest('hex');
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
