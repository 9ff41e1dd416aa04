/** All rows of the validation, in the order of the document. */
import { measureAttila } from './attila.ts';
import { measureBandwidthCurve } from './bandwidth-curve.ts';
import { measureCacheBandwidth } from './cache-bandwidth.ts';
import { measureDataSheet } from './data-sheet.ts';
import { measureDepthAndOutput } from './depth-and-output-rates.ts';
import { measurePointerChase } from './pointer-chase.ts';
import { measureRooflines } from './rooflines.ts';
import type { ValidationRow } from './validation-rows.ts';

/** Measures all rows. */
export async function measureRows(): Promise<ValidationRow[]> {
  return [
    ...(await measureRooflines()),
    ...(await measureDepthAndOutput()),
    ...(await measureDataSheet()),
    ...(await measurePointerChase()),
    ...(await measureCacheBandwidth()),
    ...(await measureBandwidthCurve()),
    ...(await measureAttila()),
  ];
}
