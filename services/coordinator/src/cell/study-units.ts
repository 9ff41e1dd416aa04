/**
 * Renders points of a study of a cluster. Neighboring points that need the same records are one
 * rendering, as in a study of one machine.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { ClaimedUnit, UnitResult } from '@tessera/engine';
import type { Report } from '@tessera/frame';
import { type FrameMeasurement, measurementWith } from '@tessera/multi-chiplet/rendering';
import { groupPoints, type StudyPoint, type StudyRow } from '@tessera/study';
import {
  type KeptMeasurement,
  measuredDigest,
  measurementFile,
  type PointFiles,
  plainMeasurement,
  type RowReport,
  renamedRows,
  rowReportOf,
  rowsDigest,
} from '../cluster/cluster-results.ts';
import type { StudyWork } from '../cluster/cluster-work.ts';
import { readMeasurement } from '../store/measurement-file.ts';
import { computeRows, describeSubject, renderingOf } from '../studies/point-rendering.ts';
import type { CellServices } from './cell-services.ts';
import { renderUnitFrame } from './unit-frame.ts';

const zstd = promisify(zstdCompress);
const unzstd = promisify(zstdDecompress);
/** Upper bound on the compressed bytes of a measurement in the engine. */
const MAX_KEPT_BYTES = 2 ** 14;

/** Unit with its point. */
export interface UnitPoint extends ClaimedUnit {
  readonly point: StudyPoint;
}

/** Result of a unit with the rows of its study. */
export interface RenderedUnit {
  readonly unit: UnitPoint;
  readonly result: UnitResult;
  readonly rows: readonly StudyRow[];
}

/** Returns groups of units that one rendering serves. A unit with a known result is a group. */
export function groupUnits(units: readonly UnitPoint[], { request }: StudyWork): UnitPoint[][] {
  const unitByPosition = new Map(units.map((unit) => [unit.position, unit]));
  const unknown = units.filter(({ known }) => known === null).map(({ point }) => point);
  const groups = groupPoints(unknown, request).map((points) =>
    points.map(({ position }) => unitByPosition.get(position)!),
  );
  return [...groups, ...units.filter(({ known }) => known !== null).map((unit) => [unit])];
}

/**
 * Returns the results of a group of {@link groupUnits}.
 *
 * @throws {RenderError} The error that the rendering failed with.
 */
export async function renderGroup(
  services: CellServices,
  work: StudyWork,
  group: readonly UnitPoint[],
  signal: AbortSignal,
): Promise<RenderedUnit[]> {
  const [first] = group as readonly [UnitPoint];
  if (first.known !== null) return [await repeatUnit(services, work, first, signal)];
  const subject = work.subjects[first.point.frameIndex]!;
  const points = group.map(({ point }) => point);
  return services.files.withFiles(subject.source.files, signal, async () => {
    const { blobs } = services;
    const request = {
      ...renderingOf(subject, points, work.request),
      name: subject.title,
      tags: ['study'],
      model: 'frame of a study of a cluster',
      key: group.map(({ key }) => key).join(' '),
    };
    const { result, report } = await renderUnitFrame(services, request, signal);
    await blobs.verify([result.measurement]);
    const path = blobs.pathOf(result.measurement.sha256);
    const whole = { report, path, rowReport: rowReportOf(JSON.parse(report) as Report) };
    const rendered: RenderedUnit[] = [];
    for (const [i, unit] of group.entries()) {
      const alternative = i === 0 ? null : i - 1;
      rendered.push(await finishUnit(services, work, { ...whole, unit, alternative }, signal));
    }
    return rendered;
  });
}

/** Rendered frame of a group, and the unit that is finished from it. */
interface GroupFrame {
  readonly unit: UnitPoint;
  /** Index of the unit's specification among the alternatives; null for the frame's own. */
  readonly alternative: number | null;
  readonly report: string;
  readonly rowReport: RowReport;
  /** Path of the measurement. */
  readonly path: string;
}

async function finishUnit(
  services: CellServices,
  work: StudyWork,
  frame: GroupFrame,
  signal: AbortSignal,
): Promise<RenderedUnit> {
  const { unit, alternative, report, rowReport, path } = frame;
  const rows = await rowsOf(services, work, unit, { alternative, report, path }, signal);
  if (work.request.coupling === 'exact') {
    const summary: PointFiles = { report: rowReport, measurement: null };
    return { unit, rows, result: { digest: rowsDigest(rows), summary } };
  }
  const content = measurementFile(
    unitMeasurement(readMeasurement(await readFile(path)), alternative),
  );
  const summary: PointFiles = {
    report: rowReport,
    measurement: await keepMeasurement(services, content, signal),
  };
  return { unit, rows, result: { digest: measuredDigest(rowReport, content), summary } };
}

/** Keeps a small measurement in the engine, because a file of its own takes longer to write. */
async function keepMeasurement(
  { files }: CellServices,
  content: Buffer,
  signal: AbortSignal,
): Promise<KeptMeasurement> {
  const packed = await zstd(content);
  if (packed.length <= MAX_KEPT_BYTES) return { zstd: packed.toString('base64') };
  const sha256 = createHash('sha256').update(content).digest('hex');
  return files.write(content, sha256, signal);
}

function unitMeasurement(whole: FrameMeasurement, alternative: number | null): FrameMeasurement {
  return plainMeasurement(alternative === null ? whole : measurementWith(whole, alternative));
}

/** Computes the rows of a unit whose result another batch has obtained. */
async function repeatUnit(
  services: CellServices,
  work: StudyWork,
  unit: UnitPoint,
  signal: AbortSignal,
): Promise<RenderedUnit> {
  const { digest, summary, rows: known } = unit.known!;
  const { report, measurement } = summary as PointFiles; // finishUnit made it.
  const result = { digest, summary };
  const { files, blobs } = services;
  if (measurement === null) {
    const { point } = unit;
    const { scene } = describeSubject(work.subjects[point.frameIndex]!, point);
    const frame = work.request.frames[point.frameIndex]!;
    const names = { scene, frame, spec: point.spec.name, settings: point.settings };
    return { unit, result, rows: renamedRows(known as StudyRow[], names) };
  }
  const compute = async (path: string): Promise<RenderedUnit> => {
    const frame = { alternative: null, report: JSON.stringify(report), path };
    return { unit, result, rows: await rowsOf(services, work, unit, frame, signal) };
  };
  if (!('zstd' in measurement)) {
    return files.withFiles([measurement], signal, () => compute(blobs.pathOf(measurement.sha256)));
  }
  const blob = await blobs.write(await unzstd(Buffer.from(measurement.zstd, 'base64')));
  try {
    return await compute(blobs.pathOf(blob.sha256));
  } finally {
    blobs.release([blob]);
  }
}

async function rowsOf(
  { rows: rowServices }: CellServices,
  work: StudyWork,
  { point }: UnitPoint,
  { alternative, report, path }: Pick<GroupFrame, 'alternative' | 'report' | 'path'>,
  signal: AbortSignal,
): Promise<StudyRow[]> {
  const { request, subjects, isVisibilityChipletRendering } = work;
  const frame = request.frames[point.frameIndex]!;
  const subject = describeSubject(subjects[point.frameIndex]!, point);
  const rendered = { ...subject, point, alternative, frame };
  const input = { rendered, report, measurementPath: path };
  const services = { ...rowServices, isVisibilityChipletRendering };
  return computeRows(services, request, input, signal);
}
