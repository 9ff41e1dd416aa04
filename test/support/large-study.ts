/**
 * A study of 100,000 units whose rows are generated, not rendered: nothing about them may be
 * published. It shows how the service and the dashboard stand many rows.
 */
import { join } from 'node:path';
import { readSpec, summarizeSpec } from '@tessera/chiplet-spec';
import type { StudyRequest, StudyRow } from '@tessera/study';
import { Database } from '../../services/coordinator/src/store/database.ts';

/** Id of the study. */
export const LARGE_STUDY = 'generated-rows';
/** Number of its units and rows. */
export const LARGE_STUDY_ROWS = 100_000;

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const FRAMES = range(50).map((i) => `capture-${i}`);
const INDICES = range(40);
const SM_COUNTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
const BINS = [4, 8, 16, 32, 64];

const REQUEST: StudyRequest = {
  title: 'GENERATED: 100,000 units that nothing rendered',
  frames: FRAMES,
  kinds: FRAMES.map(() => 'capture' as const),
  chiplets: [4],
  policies: ['dynamic'],
  specs: ['default'],
  bases: [summarizeSpec(readSpec({ preset: 'default' }))],
  sweep: { smCount: SM_COUNTS },
  bins: BINS,
  grids: [],
  splits: [],
  visibility: ['minimal'],
  occlusion: [],
  organizations: [],
  visibilityChiplets: [],
  visibilityDelivery: [],
  sizes: [],
  frameIndices: INDICES,
  linkTopologies: ['bus'],
  linkBytesPerCycle: [64],
  linkLatencyCycles: [32],
  placements: ['replicated'],
  overlaps: ['visibility-first'],
  coupling: 'exact',
  counters: ['memory.bytesRead'],
};

/** Returns the row of a unit. Units are listed by frame, index, smCount and bins. */
export function generatedRow(position: number): StudyRow {
  const bins = BINS[position % BINS.length]!;
  const smCount = SM_COUNTS[Math.floor(position / BINS.length) % SM_COUNTS.length]!;
  const scene = Math.floor(position / (BINS.length * SM_COUNTS.length));
  const cycles = Math.round(4_000_000 / smCount + 1000 * bins + 37 * scene);
  return {
    scene: `GENERATED scene ${Math.floor(scene / INDICES.length)}`,
    frame: FRAMES[Math.floor(scene / INDICES.length)]!,
    frameIndex: scene % INDICES.length,
    widthPx: 640,
    heightPx: 360,
    spec: `default+smCount=${smCount}`,
    specDigest: 'generated000',
    settings: { smCount },
    bins,
    grid: `${bins}x1`,
    split: 0,
    visibility: 'minimal',
    occlusion: true,
    organization: 'binned',
    visibilityChiplets: 1,
    visibilityDelivery: 'phase',
    coupling: 'exact',
    policy: 'dynamic',
    chiplets: 4,
    linkTopology: 'bus',
    linkBytesPerCycle: 64,
    linkLatencyCycles: 32,
    placement: 'replicated',
    overlap: 'visibility-first',
    cycles,
    simulatedMs: cycles / 1e6,
    visibilityCycles: 1000,
    lowerBoundCycles: cycles - 1000,
    boundBy: 'all-bins',
    speedUp: 3.5,
    efficiency: 0.875,
    imbalance: 1.0625,
    linkBytes: 4096 + position,
    remoteBytes: 0,
    imageSha256: position.toString(16).padStart(64, '0'),
    version: '0.0.0-generated',
    commit: 'generated',
    counters: { 'memory.bytesRead': 2 ** 33 + position },
  };
}

/** Adds the study to the journal in a folder, which no service uses. */
export function addLargeStudy(folder: string): void {
  const database = new Database(join(folder, 'journal.sqlite'));
  database.commit(() => {
    database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES (?, 0, 'done', ?)`,
      LARGE_STUDY,
      JSON.stringify({ request: REQUEST, subjects: [] }),
    );
    for (let position = 0; position < LARGE_STUDY_ROWS; position++) {
      const rows = JSON.stringify([generatedRow(position)]);
      const insert = 'INSERT INTO study_measurements VALUES (?, ?, 10, ?)';
      database.run(insert, LARGE_STUDY, position, rows);
    }
  });
  database.close();
}
