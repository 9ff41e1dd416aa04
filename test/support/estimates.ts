/** Entry of the script that page-estimates.ts builds. */
export { idleShareOf } from '@tessera/multi-chiplet/estimate';
export { estimateFrame } from '../../packages/dashboard/src/explore/estimate-frame.ts';
