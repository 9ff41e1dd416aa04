/**
 * Sizes of elements in a page without layout. Lengths in px, percent, vw and vh are honored. Other
 * elements are as wide as their parent, and have no height. The root and the body have the size of
 * the page.
 */
import type { Element } from './element.ts';

/** Size in CSS pixels. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size of an element's box.
 *
 * @param own Size of a replaced element, such as a canvas, that its style does not change.
 */
export function boxSizeOf(element: Element, own?: BoxSize): BoxSize {
  const page = element.ownerDocument.pageSize;
  const { documentElement, body } = element.ownerDocument;
  if (element === documentElement || element === body) return page;
  const parent = element.parentNode === null ? page : boxSizeOf(element.parentNode);
  // Percentages of a height that follows from the content have no effect in CSS. Programs use them
  // in elements of the height of the page.
  const container = { width: parent.width, height: parent.height || page.height };
  return {
    width: readLength(element.style.width, container.width, page) ?? own?.width ?? parent.width,
    height: readLength(element.style.height, container.height, page) ?? own?.height ?? 0,
  };
}

/** Returns a CSS length in pixels, or `null` if it is missing or has another unit. */
function readLength(length: unknown, containerPx: number, page: BoxSize): number | null {
  const found = /^\s*(\d+(?:\.\d+)?)(px|%|vw|vh)\s*$/.exec(String(length ?? ''));
  if (found === null) return null;
  const [, value, unit] = found;
  const whole = { px: 100, '%': containerPx, vw: page.width, vh: page.height }[unit!]!;
  return Math.round((Number(value) * whole) / 100);
}
