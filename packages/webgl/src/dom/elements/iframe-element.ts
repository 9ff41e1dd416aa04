/**
 * `<iframe>`. The host of the page opens the page in the frame. A page without such a host has no
 * loader of HTML, so a frame with a source is an error.
 */
import type { Document } from './document.ts';
import { Element } from './element.ts';

/** `<iframe>` element. */
export class IframeElement extends Element {
  /** Window of the page in the frame, set by the host; `null` for an empty frame. */
  contentWindow: { readonly document: Document } | null = null;

  constructor(document: Document) {
    super(document, 'iframe');
  }

  get contentDocument(): Document | null {
    return this.contentWindow?.document ?? null;
  }

  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    this.setAttribute('src', address);
  }

  get srcdoc(): string {
    return this.getAttribute('srcdoc') ?? '';
  }

  set srcdoc(markup: string) {
    this.setAttribute('srcdoc', markup);
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (['src', 'srcdoc'].includes(name.toLowerCase()) && this.isConnected) this.open();
  }

  /**
   * Opens the page of the frame, if it has one.
   *
   * @throws {DOMException} NotSupportedError if the page has no host that opens pages.
   */
  open(): void {
    const source = this.srcdoc === '' ? this.src : 'srcdoc';
    if (source === '' || source === 'about:blank') return;
    const { openFrame } = this.ownerDocument;
    if (openFrame === null || source === 'srcdoc') {
      const message = `iframe: the page in the frame (${source}) cannot be loaded: there is no loader of HTML`;
      throw new DOMException(message, 'NotSupportedError');
    }
    openFrame(this);
  }
}
