/** Runs a sweep in this process, with the rows of the service. */
import { specOfSummary } from '@tessera/chiplet-spec';
import { DEFAULT_OPTIONS, type Frame, RenderError } from '@tessera/frame';
import { MachinePool } from '@tessera/gpu';
import { LocalGpu } from '@tessera/local-gpu';
import { DEFAULT_ORGANIZATION } from '@tessera/multi-chiplet';
import {
  groupPoints,
  listPoints,
  listSimulations,
  makeRows,
  type Revision,
  STUDY_TIMING,
  type StudyPoint,
  type StudyRequest,
  type StudyRow,
} from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import { readFrame } from '../../inputs/read-frame.ts';
import { ProgressBar } from '../../terminal/progress-bar.ts';
import { printNote } from '../../terminal/terminal-output.ts';
import type { SceneFile } from '../scenes/scene-files.ts';

/**
 * Renders every point of a request and computes its rows. Scenes that cannot be rendered are
 * reported and skipped.
 *
 * @param scenes Files of `request.frames`.
 * @returns Rows in the order of the points.
 */
export async function sweepLocally(
  request: StudyRequest,
  scenes: readonly SceneFile[],
): Promise<StudyRow[]> {
  const revision = readRevision();
  const groups = groupPoints(listPoints(request), request);
  const rowsByPosition: StudyRow[][] = [];
  const skipped = new Set<number>();
  const bar = new ProgressBar();
  for (const [i, group] of groups.entries()) {
    const { frameIndex } = group[0]!;
    const scene = scenes[frameIndex]!;
    bar.update(i, groups.length, scene.name);
    if (skipped.has(frameIndex)) continue;
    try {
      for (const { position, rows } of await measureGroup(request, scene, group, revision)) {
        rowsByPosition[position] = rows;
      }
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      skipped.add(frameIndex);
      bar.end();
      printNote(`${scene.name}: skipped: ${error.message}\n`);
    }
  }
  bar.end();
  const isKept = ({ scene }: StudyRow) =>
    !scenes.some(({ name }, i) => name === scene && skipped.has(i));
  // Positions of skipped scenes have no rows.
  return rowsByPosition.flat().filter(isKept);
}

/** Renders the frame of a group and returns the rows of its points. */
async function measureGroup(
  request: StudyRequest,
  scene: SceneFile,
  group: readonly StudyPoint[],
  revision: Revision,
): Promise<{ readonly position: number; readonly rows: StudyRow[] }[]> {
  const [point, ...others] = group as readonly [StudyPoint, ...StudyPoint[]];
  const sharing = {
    organization: point.organization ?? DEFAULT_ORGANIZATION,
    visibilityChiplets: point.visibilityChiplets ?? DEFAULT_OPTIONS.visibilityChiplets,
    visibilityDelivery: point.visibilityDelivery ?? DEFAULT_OPTIONS.visibilityDelivery,
  };
  // As few chiplets as the visibility phase has parts; rows have numbers of their own.
  const chipletCount = sharing.visibilityChiplets;
  const gpu = new LocalGpu({ chipletCount, spec: specOfSummary(point.spec) });
  const frame = await readPoint(scene, point, gpu);
  const split = point.split ?? DEFAULT_OPTIONS.splits;
  const occlusion = point.occlusion ?? false;
  const { report, measurement } = await gpu.render(frame, {
    grid: point.grid ?? { kind: 'bins', count: point.bins },
    splits: split,
    ...sharing,
    visibilityShader: point.visibility,
    visibilitySwitches: { cullsOccluded: occlusion },
    timing: STUDY_TIMING,
    coupling: request.coupling,
    alternativeSpecs: others.map(({ spec }) => specOfSummary(spec)),
  });
  const captureFrame = point.captureFrame ?? 0;
  const common = {
    report,
    measurement,
    scene: scene.name,
    frame: '',
    split,
    occlusion,
    ...sharing,
    captureFrame,
  };
  return group.map((each, i) => {
    const pool = new MachinePool(specOfSummary(each.spec));
    const rendered = { ...common, point: each, alternative: i === 0 ? null : i - 1 };
    const rows: StudyRow[] = [];
    let aloneCycles: number | null = null;
    for (const simulation of listSimulations(request)) {
      const made = makeRows(request, simulation, rendered, {
        isVisibilityChipletRendering: true,
        makeMachine: (sharing) => pool.take(sharing),
        revision,
        aloneCycles,
      });
      rows.push(...made.rows);
      ({ aloneCycles } = made);
    }
    return { position: each.position, rows };
  });
}

async function readPoint(
  { path }: SceneFile,
  { size, captureFrame }: StudyPoint,
  { programs }: LocalGpu,
): Promise<Frame> {
  const options = size ?? (captureFrame === null ? {} : { captureFrame });
  return (await readFrame(path, options, programs)).frame;
}
