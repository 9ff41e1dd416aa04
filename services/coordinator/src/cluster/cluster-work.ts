/**
 * Work that a gateway submits and cells render: a posted frame, which is one unit, or a study,
 * whose points are units. A unit's name is the hash of what determines its result.
 */
import { type NewUnit, unitKeyOf } from '@tessera/engine';
import type { SpecSummary } from '@tessera/frame';
import { listPoints, listSimulations, type StudyRequest } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import { renderingOf } from '../studies/point-rendering.ts';
import type { StudySubject } from '../studies/study-store.ts';
import { digestSources } from './source-digest.ts';

/** Posted frame. */
export interface FrameWork {
  readonly kind: 'frame';
  readonly name: string;
  readonly tags: readonly string[];
  readonly model: string;
  readonly source: FrameSource;
  /** Options; the number of chiplets is not null. */
  readonly options: FrameOptions;
}

/** Study of posted frames. */
export interface StudyWork {
  readonly kind: 'study';
  readonly request: StudyRequest;
  readonly subjects: readonly StudySubject[];
  readonly isVisibilityChipletRendering: boolean;
}

/** Work of a batch. */
export type ClusterWork = FrameWork | StudyWork;

/**
 * Version of the simulator. Gateways and cells of one version share units and results, whether they
 * run in a clone or in a container.
 */
export function simulatorVersion(): string {
  return `${readRevision().version}-${digestSources()}`;
}

/** Returns the unit of a posted frame. */
export function frameUnit(version: string, { source, options }: FrameWork): NewUnit {
  const { spec, alternativeSpecs: _none, ...rest } = options;
  const key = unitKeyOf({
    version,
    result: 'frame',
    source: sourceForm(source),
    options: { ...rest, spec: specForm(spec) },
  });
  return { key, blob: largestFile(source) };
}

/**
 * Returns the units of a study, by the position of their points.
 *
 * With `coupling: none`, all numbers of chiplets, policies, links and placements follow from one
 * rendering, so they are not in the name. With `exact`, chiplets influence each other.
 */
export function studyUnits(version: string, work: StudyWork): NewUnit[] {
  const { request, subjects } = work;
  const simulations = request.coupling === 'exact' ? simulationForm(work) : null;
  const specForms = new Map<SpecSummary, object>();
  return listPoints(request).map((point) => {
    const subject = subjects[point.frameIndex]!;
    const { source, options } = renderingOf(subject, [point], request);
    const {
      spec,
      alternativeSpecs: _one,
      policy: _,
      chipletCount: __,
      overlap: ___,
      ...rest
    } = options;
    let form = specForms.get(spec);
    if (form === undefined) {
      form = specForm(spec);
      specForms.set(spec, form);
    }
    const key = unitKeyOf({
      version,
      result: 'study',
      source: sourceForm(source),
      options: { ...rest, spec: form },
      simulations,
    });
    return { key, blob: largestFile(source) };
  });
}

/** Returns what determines the rows of coupled chiplets. */
function simulationForm({ request, isVisibilityChipletRendering }: StudyWork): object {
  const { chiplets, counters, energy = null } = request;
  const simulations = listSimulations(request);
  return { chiplets, counters, energy, simulations, isVisibilityChipletRendering };
}

/** Returns a source without names that do not matter. */
function sourceForm({ kind, files, frameIndex }: FrameSource): object {
  const [lone, ...others] = files;
  const content =
    others.length === 0 ? lone!.sha256 : files.map(({ name, sha256 }) => [name, sha256]);
  return { kind, content, frameIndex };
}

/** Returns a specification without its name. */
function specForm({ name: _name, ...values }: SpecSummary): object {
  return { digest: unitKeyOf(values) };
}

/** Returns the hash of the largest file, which decides which cell is preferred. */
function largestFile({ files }: FrameSource): string {
  return files.reduce((largest, file) => (file.bytes > largest.bytes ? file : largest)).sha256;
}
