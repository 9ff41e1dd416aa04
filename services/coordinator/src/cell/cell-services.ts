/** Services that the units of a cell use. */
import type { FrameStore } from '../frames/frame-store.ts';
import type { SourceRenderer } from '../frames/source-renderer.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { RowServices } from '../studies/point-rendering.ts';
import type { ClusterFiles } from './cluster-files.ts';
import type { RecentPoints } from './recent-points.ts';

/** Services that the units of a cell use. */
export interface CellServices {
  readonly renderer: SourceRenderer;
  readonly files: ClusterFiles;
  readonly points: RecentPoints;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly rows: Pick<RowServices, 'simulations' | 'maxSteps'>;
}
