/** Undamaged rows of the journal. Values of JSON columns are written as JSON. */
import { chipletPreset, summarizeSpec } from '@tessera/chiplet-spec';

const SPEC = summarizeSpec(chipletPreset('default'));
const SOURCE = {
  kind: 'glb',
  files: [{ name: 'a', sha256: '0'.repeat(64), bytes: 1 }],
  frameIndex: 0,
};
const OPTIONS = {
  widthPx: 8,
  heightPx: 8,
  policy: 'static',
  binCount: 4,
  visibilityShader: 'minimal',
  timing: 'cycle',
  spec: SPEC,
  alternativeSpecs: [SPEC],
  chipletCount: null,
  cameraIndex: null,
  timeSeconds: 0,
};

const FRAME = {
  id: 'f',
  submitted_ms: 1,
  finished_ms: 2,
  status: 'done',
  name: 'a.glb',
  tags: ['a', 'b'],
  model: 'a.glb, 1 bytes',
  policy: 'static',
  options: OPTIONS,
  source: SOURCE,
  warnings: ['w'],
  bins_done: 4,
  bin_count: 4,
  result: { image: { sha256: '0'.repeat(64), bytes: 3 }, timeline: null },
  report: { spec: SPEC, coupling: 'exact', wall: { retriedBins: 0 } },
  report_bytes: 9,
  trace_id: 't',
};

const STUDY = {
  id: 's',
  submitted_ms: 1,
  status: 'running',
  request: {
    request: {
      title: 'a study',
      frames: ['a', 'b'],
      chiplets: [1, 2],
      policies: ['static'],
      bases: [SPEC],
      specs: [null],
      bins: [8, 16],
      visibility: ['minimal'],
    },
    subjects: [{ title: 'a', source: SOURCE, options: OPTIONS }],
  },
};
const MEASUREMENT = {
  study_id: 's',
  position: 0,
  wall_ms: 1,
  rows: [{ frame: 'a', model: 'box', cycles: 5, speedup: 1.5 }],
};
const STORED_SPEC = { name: 'mine', description: { preset: 'default', set: { smCount: 2 } } };

/** Rows by table. */
export const ROW_SEEDS: readonly Readonly<Record<string, unknown>>[] = [
  { frames: FRAME, studies: STUDY, study_measurements: MEASUREMENT, specs: STORED_SPEC },
  {
    frames: {
      ...FRAME,
      status: 'failed',
      result: null,
      report: null,
      error_code: 'MODEL_INVALID',
      error_message: 'm',
      // As versions before 0.2 stored specifications.
      options: { ...OPTIONS, spec: 'loongson', alternativeSpecs: undefined },
    },
    studies: { ...STUDY, status: 'failed', error_code: 'INTERNAL', error_message: 'm' },
    study_measurements: { ...MEASUREMENT, rows: [{ frame: 'a', scene: 'box', speedUp: 1 }] },
    specs: STORED_SPEC,
  },
];
