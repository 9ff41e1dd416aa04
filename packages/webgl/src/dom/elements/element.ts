/**
 * Nodes of a page: a tree with attributes and text, without layout or display. Everything that
 * programs add around their canvas (captions, test consoles, scripts) works but is not shown.
 */
import { type BoxSize, boxSizeOf } from './box-size.ts';
import { ClassList } from './class-list.ts';
import type { Document } from './document.ts';
import { createInlineStyle, type InlineStyle } from './inline-style.ts';
import { formatMarkup, parseMarkup } from './markup.ts';
import { compileSelector } from './selector.ts';

/** Text node of a page. */
export class TextNode extends EventTarget {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  data: string;
  parentNode: Element | null = null;

  constructor(text: string) {
    super();
    this.data = text;
  }

  get textContent(): string {
    return this.data;
  }

  set textContent(text: string) {
    this.data = text;
  }

  get nodeValue(): string {
    return this.data;
  }

  set nodeValue(text: string) {
    this.data = text;
  }
}

/** Node of the page's tree. */
export type PageNode = Element | TextNode;

/** Element of a page. */
export class Element extends EventTarget {
  readonly nodeType = 1;
  readonly ownerDocument: Document;
  /** Name in lower case. */
  readonly localName: string;
  readonly childNodes: PageNode[] = [];
  readonly dataset: Record<string, string> = {};
  readonly classList = new ClassList(this);
  parentNode: Element | null = null;
  readonly #style = createInlineStyle();
  readonly #attributes = new Map<string, string>();

  constructor(document: Document, name: string) {
    super();
    this.ownerDocument = document;
    this.localName = name.toLowerCase();
  }

  get tagName(): string {
    return this.localName.toUpperCase();
  }

  get nodeName(): string {
    return this.tagName;
  }

  get id(): string {
    return this.getAttribute('id') ?? '';
  }

  set id(id: string) {
    this.setAttribute('id', id);
  }

  get style(): InlineStyle {
    return this.#style;
  }

  /** Sets all declarations. */
  set style(text: string) {
    this.#style.cssText = text;
  }

  get className(): string {
    return this.getAttribute('class') ?? '';
  }

  set className(names: string) {
    this.setAttribute('class', names);
  }

  getAttribute(name: string): string | null {
    const lower = name.toLowerCase();
    if (lower === 'style') return this.style.cssText || null;
    return this.#attributes.get(lower) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  setAttribute(name: string, value: unknown): void {
    const lower = name.toLowerCase();
    if (lower === 'style') this.style.cssText = String(value);
    else this.#attributes.set(lower, String(value));
  }

  attributeEntries(): Iterable<readonly [name: string, value: string]> {
    const style = this.getAttribute('style');
    return style === null ? this.#attributes : [...this.#attributes, ['style', style]];
  }

  removeAttribute(name: string): void {
    const lower = name.toLowerCase();
    if (lower === 'style') this.style.cssText = '';
    else this.#attributes.delete(lower);
  }

  get children(): Element[] {
    return this.childNodes.filter((child) => child instanceof Element);
  }

  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): PageNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get parentElement(): Element | null {
    return this.parentNode;
  }

  /** Whether the element belongs to the page's tree. */
  get isConnected(): boolean {
    const root = this.ownerDocument.documentElement;
    for (let node: Element | null = this; node !== null; node = node.parentNode) {
      if (node === root) return true;
    }
    return false;
  }

  hasChildNodes(): boolean {
    return this.childNodes.length > 0;
  }

  contains(node: PageNode | null): boolean {
    for (let at = node; at !== null; at = at.parentNode) if (at === this) return true;
    return false;
  }

  appendChild<T extends PageNode>(child: T): T {
    return this.insertBefore(child, null);
  }

  append(...children: readonly (PageNode | string)[]): void {
    for (const child of children) {
      this.appendChild(typeof child === 'string' ? new TextNode(child) : child);
    }
  }

  insertBefore<T extends PageNode>(child: T, before: PageNode | null | undefined): T {
    if (child.parentNode !== null) child.parentNode.removeChild(child);
    const at = before ? this.childNodes.indexOf(before) : this.childNodes.length;
    if (at < 0)
      throw new DOMException(
        'insertBefore: the reference node is not a child of this node',
        'NotFoundError',
      );
    this.childNodes.splice(at, 0, child);
    child.parentNode = this;
    if (child instanceof Element && this.isConnected) this.ownerDocument.noteConnected(child);
    return child;
  }

  replaceChild<T extends PageNode>(child: PageNode, old: T): T {
    this.insertBefore(child, old);
    return this.removeChild(old);
  }

  removeChild<T extends PageNode>(child: T): T {
    const at = this.childNodes.indexOf(child);
    if (at < 0)
      throw new DOMException('removeChild: the node is not a child of this node', 'NotFoundError');
    this.childNodes.splice(at, 1);
    child.parentNode = null;
    return child;
  }

  remove(): void {
    this.parentNode?.removeChild(this);
  }

  get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join('');
  }

  set textContent(text: string) {
    for (const child of this.childNodes) child.parentNode = null;
    this.childNodes.length = 0;
    if (text !== '') this.appendChild(new TextNode(String(text)));
  }

  get innerHTML(): string {
    return formatMarkup(this.childNodes);
  }

  set innerHTML(markup: string) {
    this.textContent = '';
    this.append(...parseMarkup(this.ownerDocument, String(markup)));
  }

  get innerText(): string {
    return this.textContent;
  }

  set innerText(text: string) {
    this.textContent = text;
  }

  /** Returns descendants by name, in document order; `*` selects all. */
  getElementsByTagName(name: string): Element[] {
    const wanted = name.toLowerCase();
    return this.#listBelow().filter((each) => wanted === '*' || each.localName === wanted);
  }

  /** Returns the first descendant that a selector (selector.ts) matches. */
  querySelector(selector: string): Element | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return this.#listBelow().filter(compileSelector(String(selector)));
  }

  matches(selector: string): boolean {
    return compileSelector(String(selector))(this);
  }

  /** Returns the nearest element, from this one up, that a selector matches. */
  closest(selector: string): Element | null {
    const matches = compileSelector(String(selector));
    for (let at: Element | null = this; at !== null; at = at.parentNode) if (matches(at)) return at;
    return null;
  }

  /** Size of the element's box; box-size.ts says how it is determined. */
  get boxSize(): BoxSize {
    return boxSizeOf(this);
  }

  get clientWidth(): number {
    return this.boxSize.width;
  }

  get clientHeight(): number {
    return this.boxSize.height;
  }

  /** Returns a rectangle at the page's corner, because elements have no layout. */
  getBoundingClientRect(): {
    x: number;
    y: number;
    left: number;
    top: number;
    right: number;
    bottom: number;
    width: number;
    height: number;
  } {
    const { width, height } = this.boxSize;
    return { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height };
  }

  /**
   * Copies the element and its attributes, and its descendants if `isDeep`. The content of a canvas
   * is not copied.
   */
  cloneNode(isDeep = false): Element {
    const copy = this.ownerDocument.createElement(this.localName);
    for (const [name, value] of this.attributeEntries()) copy.setAttribute(name, value);
    for (const child of isDeep ? this.childNodes : []) {
      copy.appendChild(
        child instanceof Element ? child.cloneNode(true) : new TextNode(child.textContent),
      );
    }
    return copy;
  }

  focus(): void {}

  #listBelow(): Element[] {
    return this.children.flatMap((child) => [child, ...child.#listBelow()]);
  }
}
