/** Studies: what they sweep, their rows, and the columns of every CSV. */
export { type CheckedField, checkKinds, checkRequest, parseSize } from './check-request.ts';
export { checkSharing, type SharingField } from './check-sharing.ts';
export { quoteCsv } from './csv-fields.ts';
export { frameCounters, sumCounters } from './frame-counters.ts';
export { type MadeRows, makeRows, type RenderedPoint } from './make-rows.ts';
export { type RowEnergy, rowEnergy } from './row-energy.ts';
export { specDigest } from './spec-digest.ts';
export {
  type ColumnInfo,
  cellsOf,
  columnNames,
  csvHeader,
  csvPieces,
  csvRows,
  ENERGY_COLUMNS,
  type RequestedColumns,
  requestedColumns,
  STUDY_COLUMNS,
  type StudyColumn,
} from './study-columns.ts';
export {
  countPoints,
  countSimulations,
  groupPoints,
  type ImageSize,
  listPoints,
  listSimulations,
  MAX_AXIS_VALUES,
  type SceneKind,
  STUDY_TIMING,
  type StudyPoint,
  type StudyRequest,
  type StudySimulation,
} from './study-request.ts';
export { BOUNDS, type Revision, type StudyRow, upgradeRow } from './study-row.ts';
