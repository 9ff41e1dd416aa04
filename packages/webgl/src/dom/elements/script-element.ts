/**
 * `<script>`: code that the page's loader runs, or text such as shader sources that a program
 * reads.
 */
import type { Document } from './document.ts';
import { Element } from './element.ts';

/** `<script>` element. */
export class ScriptElement extends Element {
  /** Whether the script was created by `innerHTML` and therefore never runs. */
  isInert = false;
  /** Offset of the script's text in the markup that it comes from; null if a program created it. */
  markupOffset: number | null = null;

  constructor(document: Document) {
    super(document, 'script');
  }

  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    this.setAttribute('src', address);
  }

  get type(): string {
    return this.getAttribute('type') ?? '';
  }

  set type(type: string) {
    this.setAttribute('type', type);
  }

  /**
   * Type string of the script as HTML defines it: `type`, else the older `language`, else an empty
   * string.
   */
  get blockType(): string {
    const language = this.getAttribute('language') ?? '';
    return this.getAttribute('type') ?? (language === '' ? '' : `text/${language}`);
  }

  get text(): string {
    return this.textContent;
  }

  set text(text: string) {
    this.textContent = text;
  }
}
