/** Creates elements of the page from name, attributes and children. */

type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
/** Attributes of an element by name. */
export type Attributes = Readonly<Record<string, Attribute>>;
/** Child of an element; null, undefined and false are omitted. */
export type Child = Node | string | number | null | undefined | false;

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * Creates an HTML element. Function attributes are listeners (`onclick`). `true` is an attribute
 * without a value. `false`, `null` and `undefined` attributes are omitted.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

/** Creates an SVG element. Attributes are those of {@link element}. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

/** Replaces all children of `parent`. */
export function replace(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(typeof child === 'number' ? String(child) : child);
  }
}

function setAttributes(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(name.slice(2), value as (event: Event) => void);
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
}
