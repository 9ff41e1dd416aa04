/** Drawing state of a 2D context: styles, transform and clip (HTML, section 4.12.5.1.3 and on). */
import { type CssColor, formatCssColor, parseCssColor } from '../images/css-color.ts';
import { IDENTITY, type Matrix } from '../paths/matrix.ts';
import type { CanvasGradient } from './canvas-gradient.ts';
import type { CanvasPattern } from './canvas-pattern.ts';
import type { TextStyle } from './pixel-font.ts';

/** Color, or gradient or pattern in the coordinates of the current transform. */
export type FillStyle = CssColor | CanvasGradient | CanvasPattern;

/** State that `save` and `restore` keep. */
export interface State2d extends TextStyle {
  matrix: Matrix;
  fill: FillStyle;
  stroke: FillStyle;
  globalAlpha: number;
  globalCompositeOperation: string;
  lineWidth: number;
  lineCap: 'butt' | 'round' | 'square';
  lineJoin: 'bevel' | 'miter' | 'round';
  miterLimit: number;
  lineDash: readonly number[];
  lineDashOffset: number;
  shadowColor: CssColor;
  shadowBlur: number;
  shadowOffsetX: number;
  shadowOffsetY: number;
  imageSmoothingEnabled: boolean;
  imageSmoothingQuality: string;
  font: string;
  fontSizePx: number;
  textAlign: string;
  textBaseline: string;
  direction: string;
  letterSpacing: string;
  letterSpacingPx: number;
  /** Share of each pixel that draws change; null for all of them. */
  clip: Float32Array | null;
}

/** State of a new context. */
export const INITIAL_STATE: Readonly<State2d> = {
  matrix: IDENTITY,
  fill: [0, 0, 0, 255],
  stroke: [0, 0, 0, 255],
  globalAlpha: 1,
  globalCompositeOperation: 'source-over',
  lineWidth: 1,
  lineCap: 'butt',
  lineJoin: 'miter',
  miterLimit: 10,
  lineDash: [],
  lineDashOffset: 0,
  shadowColor: [0, 0, 0, 0],
  shadowBlur: 0,
  shadowOffsetX: 0,
  shadowOffsetY: 0,
  imageSmoothingEnabled: true,
  imageSmoothingQuality: 'low',
  font: '10px sans-serif',
  fontSizePx: 10,
  textAlign: 'start',
  textBaseline: 'alphabetic',
  direction: 'ltr',
  letterSpacing: '0px',
  letterSpacingPx: 0,
  clip: null,
};

/** Converts a style of a program. Returns `null` for an unknown color, which a canvas ignores. */
export function readStyle(style: unknown): FillStyle | null {
  return typeof style === 'object' && style !== null && 'colorAt' in style
    ? (style as CanvasGradient | CanvasPattern)
    : parseCssColor(String(style));
}

/** Returns a style as programs read it. */
export function showStyle(style: FillStyle): string | CanvasGradient | CanvasPattern {
  return isColor(style) ? formatCssColor(style) : style;
}

/** Returns whether a style is a color. */
export function isColor(style: FillStyle): style is CssColor {
  return Array.isArray(style);
}
