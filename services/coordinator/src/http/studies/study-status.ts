/** Form of a study in answers and events. */
import { plotsOf } from '../../studies/study-series.ts';
import type { StudyRecord } from '../../studies/study-store.ts';
import type { StudyStatusBody } from './study-schemas.ts';

/** Returns the public status of a study. */
export function studyStatus(study: Omit<StudyRecord, 'client'>): StudyStatusBody {
  const self = `/v1/studies/${study.id}`;
  const { title, ...sweep } = study.request;
  const { pointsDone, pointCount, measuredMs } = study;
  const left = study.status === 'running' ? pointCount - pointsDone : 0;
  return {
    id: study.id,
    title,
    status: study.status,
    submittedAt: study.submittedAt.toISOString(),
    sweep: {
      frames: [...sweep.frames],
      chiplets: [...sweep.chiplets],
      policies: [...sweep.policies],
      specs: [...sweep.specs],
      parameters: Object.fromEntries(
        Object.entries(sweep.sweep).map(([name, values]) => [name, [...values]]),
      ),
      bins: [...sweep.bins],
      visibility: [...sweep.visibility],
      coupling: sweep.coupling ?? 'none',
      grids: [...sweep.grids],
      splits: [...sweep.splits],
      occlusion: [...sweep.occlusion],
      organizations: [...sweep.organizations],
      visibilityChiplets: [...sweep.visibilityChiplets],
      visibilityDelivery: [...sweep.visibilityDelivery],
      sizes: sweep.sizes.map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`),
      frameIndices: [...sweep.frameIndices],
      linkTopologies: [...sweep.linkTopologies],
      linkBytesPerCycle: [...sweep.linkBytesPerCycle],
      linkLatencyCycles: [...sweep.linkLatencyCycles],
      placements: [...sweep.placements],
      overlaps: [...sweep.overlaps],
      counters: [...sweep.counters],
      energy: sweep.energy ?? null,
    },
    progress: {
      done: pointsDone,
      total: pointCount,
      secondsLeft: pointsDone === 0 ? null : (left * measuredMs) / pointsDone / 1000,
    },
    error: study.error,
    links: {
      self,
      csv: `${self}/results.csv`,
      parquet: `${self}/results.parquet`,
      rows: `${self}/rows`,
      series: `${self}/series`,
      events: `${self}/events`,
      plots: Object.fromEntries(plotsOf(sweep).map((plot) => [plot, `${self}/plots/${plot}`])),
    },
  };
}
