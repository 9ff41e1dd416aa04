import { GL } from '@tessera/gl';
import { FIXED } from '@tessera/gl/fixed-constants';

/** Enumerations by the names of the specification, without `GL_`. */
export const E = {
  ...FIXED,
  ...GL,
  COLOR_BUFFERS: 0x4500,
  ALL_ATTRIBUTES: 0xfffff,
  ONE: 1,
  ZERO: 0,
} as const;
