/** All scenes, in the order of the chapters of the specification. */

import { BLITS, MULTISAMPLE } from './scenes/blits.ts';
import { BLENDING, FOG_AND_ALPHA, LOGIC, STENCIL } from './scenes/fragments.ts';
import { LISTS, OUTLINES, PIXELS, POINTS, SHAPES, TEXGEN } from './scenes/geometry.ts';
import { LIGHTING } from './scenes/lighting.ts';
import { PRIMITIVES } from './scenes/primitives.ts';
import { PROGRAMS } from './scenes/programs.ts';
import { RENDERED } from './scenes/rendered-textures.ts';
import { FACINGS, SMOOTH } from './scenes/smooth.ts';
import {
  COMPRESSED,
  SAMPLING,
  TEXTURE_FORMATS,
  TEXTURE_KINDS,
  UNPACKING,
} from './scenes/textures.ts';
import { COMBINERS, ENVIRONMENTS } from './scenes/texturing.ts';
import type { Scene } from './writer/cells.ts';

/** All scenes of the conformance tests. */
export const SCENES: readonly Scene[] = [
  PRIMITIVES,
  LIGHTING,
  ENVIRONMENTS,
  COMBINERS,
  TEXGEN,
  SHAPES,
  OUTLINES,
  POINTS,
  SMOOTH,
  FACINGS,
  PIXELS,
  FOG_AND_ALPHA,
  BLENDING,
  LOGIC,
  STENCIL,
  LISTS,
  PROGRAMS,
  TEXTURE_KINDS,
  TEXTURE_FORMATS,
  UNPACKING,
  SAMPLING,
  COMPRESSED,
  RENDERED,
  BLITS,
  MULTISAMPLE,
];
