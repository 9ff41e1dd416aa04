/** `<script>`: text that the document's owner runs, or that a program reads its shaders from. */
import type { Document } from './document.ts';
import { Element } from './element.ts';

export class ScriptElement extends Element {
  /** Of a script that came as the markup of another element: it is never run. */
  isInert = false;

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

  /** HTML's type string of a script: `type`, or `language`, which came before it; empty without either. */
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
