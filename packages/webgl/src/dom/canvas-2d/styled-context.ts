/** State of a 2D context: properties, `save`, `restore` and transforms. */
import { formatCssColor, parseCssColor } from '../images/css-color.ts';
import { IDENTITY, type Matrix, multiply } from '../paths/matrix.ts';
import { Path } from '../paths/path.ts';
import type { CanvasGradient } from './canvas-gradient.ts';
import type { CanvasPattern } from './canvas-pattern.ts';
import { INITIAL_STATE, readStyle, type State2d, showStyle } from './canvas-state.ts';
import { isOperator } from './compositing.ts';
import { DOMMatrix, type MatrixInit, readMatrix } from './dom-matrix.ts';
import { parseFontSizePx, TEXT_ALIGNMENTS, TEXT_BASELINES } from './pixel-font.ts';

type Style = string | CanvasGradient | CanvasPattern;

/** Properties that accept numbers in a range, with the range. */
const NUMBERS = {
  globalAlpha: (value: number) => value >= 0 && value <= 1,
  lineWidth: (value: number) => value > 0 && Number.isFinite(value),
  miterLimit: (value: number) => value > 0 && Number.isFinite(value),
  lineDashOffset: Number.isFinite,
  shadowBlur: (value: number) => value >= 0 && Number.isFinite(value),
  shadowOffsetX: Number.isFinite,
  shadowOffsetY: Number.isFinite,
} as const;

/** Properties that accept words. */
const WORDS = {
  globalCompositeOperation: isOperator,
  lineCap: (word: string) => ['butt', 'round', 'square'].includes(word),
  lineJoin: (word: string) => ['bevel', 'miter', 'round'].includes(word),
  imageSmoothingQuality: (word: string) => ['low', 'medium', 'high'].includes(word),
  textAlign: (word: string) => TEXT_ALIGNMENTS.includes(word),
  textBaseline: (word: string) => TEXT_BASELINES.includes(word),
  direction: (word: string) => ['ltr', 'rtl', 'inherit'].includes(word),
} as const;

/** Part of a 2D context that keeps its state. */
export class StyledContext {
  declare globalAlpha: number;
  declare lineWidth: number;
  declare miterLimit: number;
  declare lineDashOffset: number;
  declare shadowBlur: number;
  declare shadowOffsetX: number;
  declare shadowOffsetY: number;
  declare globalCompositeOperation: string;
  declare lineCap: string;
  declare lineJoin: string;
  declare imageSmoothingQuality: string;
  declare textAlign: string;
  declare textBaseline: string;
  declare direction: string;
  /** Current state; of the package's own use. */
  protected state: State2d = { ...INITIAL_STATE };
  protected readonly path = new Path();
  readonly #saved: State2d[] = [];

  /** Resets state and path. */
  protected resetState(): void {
    this.state = { ...INITIAL_STATE };
    this.#saved.length = 0;
    this.path.clear();
    this.path.matrix = IDENTITY;
  }

  save(): void {
    this.#saved.push({ ...this.state });
  }

  restore(): void {
    this.state = this.#saved.pop() ?? this.state;
    this.path.matrix = this.state.matrix;
  }

  scale(x: number, y: number): void {
    this.#transform([x, 0, 0, y, 0, 0]);
  }

  /** @param angle Radians from the x axis to the y axis. */
  rotate(angle: number): void {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    this.#transform([cosine, sine, -sine, cosine, 0, 0]);
  }

  translate(x: number, y: number): void {
    this.#transform([1, 0, 0, 1, x, y]);
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    this.#transform([a, b, c, d, e, f]);
  }

  /** Sets the transform: six numbers, or a matrix. */
  setTransform(
    ...given: readonly [MatrixInit?] | readonly [number, number, number, number, number, number]
  ): void {
    this.#setMatrix(
      given.length === 6 ? given : readMatrix((given[0] as MatrixInit | undefined) ?? {}),
    );
  }

  resetTransform(): void {
    this.#setMatrix(IDENTITY);
  }

  getTransform(): DOMMatrix {
    return new DOMMatrix(this.state.matrix);
  }

  get fillStyle(): Style {
    return showStyle(this.state.fill);
  }

  set fillStyle(style: Style) {
    this.state.fill = readStyle(style) ?? this.state.fill;
  }

  get strokeStyle(): Style {
    return showStyle(this.state.stroke);
  }

  set strokeStyle(style: Style) {
    this.state.stroke = readStyle(style) ?? this.state.stroke;
  }

  get shadowColor(): string {
    return formatCssColor(this.state.shadowColor);
  }

  set shadowColor(color: string) {
    this.state.shadowColor = parseCssColor(String(color)) ?? this.state.shadowColor;
  }

  get imageSmoothingEnabled(): boolean {
    return this.state.imageSmoothingEnabled;
  }

  set imageSmoothingEnabled(isEnabled: boolean) {
    this.state.imageSmoothingEnabled = Boolean(isEnabled);
  }

  get font(): string {
    return this.state.font;
  }

  set font(font: string) {
    const fontSizePx = parseFontSizePx(String(font));
    if (fontSizePx === null) return;
    this.state.font = font;
    this.state.fontSizePx = fontSizePx;
  }

  get letterSpacing(): string {
    return this.state.letterSpacing;
  }

  set letterSpacing(length: string) {
    const letterSpacingPx = parseFontSizePx(String(length).replace('-', ''));
    if (letterSpacingPx === null) return;
    this.state.letterSpacing = length;
    this.state.letterSpacingPx = String(length).startsWith('-')
      ? -letterSpacingPx
      : letterSpacingPx;
  }

  /** Filters are not supported. */
  get filter(): string {
    return 'none';
  }

  /** @throws {DOMException} NotSupportedError for a filter. */
  set filter(filter: string) {
    if (filter === 'none' || filter === '') return;
    throw new DOMException(`filter: ${filter} is not supported`, 'NotSupportedError');
  }

  setLineDash(lengths: Iterable<number>): void {
    const dash = [...lengths].map(Number);
    if (dash.some((length) => !(length >= 0 && Number.isFinite(length)))) return;
    this.state.lineDash = dash.length % 2 === 0 ? dash : [...dash, ...dash];
  }

  getLineDash(): number[] {
    return [...this.state.lineDash];
  }

  #transform(matrix: Matrix): void {
    this.#setMatrix(multiply(this.state.matrix, matrix));
  }

  #setMatrix(matrix: Matrix): void {
    if (!matrix.every(Number.isFinite)) return;
    this.state.matrix = matrix;
    this.path.matrix = matrix;
  }
}

/** Defines properties that ignore values that they do not accept, as canvases do. */
function defineChecked(
  checks: Readonly<Record<string, (value: never) => boolean>>,
  convert: (value: unknown) => unknown,
): void {
  for (const [name, accepts] of Object.entries(checks)) {
    Object.defineProperty(StyledContext.prototype, name, {
      get(this: { readonly state: Record<string, unknown> }) {
        return this.state[name];
      },
      set(this: { readonly state: Record<string, unknown> }, given: unknown) {
        const value = convert(given);
        if (accepts(value as never)) this.state[name] = value;
      },
      enumerable: true,
      configurable: true,
    });
  }
}

defineChecked(NUMBERS, Number);
defineChecked(WORDS, String);
