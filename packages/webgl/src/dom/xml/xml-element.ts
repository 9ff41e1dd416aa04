/** Elements of XML documents, whose names are case-sensitive and can have a prefix. */
import type { Document } from '../elements/document.ts';
import { Element } from '../elements/element.ts';

/** Element of an XML document. */
export class XmlElement extends Element {
  readonly #name: string;

  constructor(document: Document, name: string) {
    super(document, name);
    this.#name = name;
  }

  /** Name with its prefix, such as `rdf:Description`. */
  override get tagName(): string {
    return this.#name;
  }

  override getElementsByTagName(name: string): Element[] {
    return super.getElementsByTagName('*').filter((each) => name === '*' || each.tagName === name);
  }
}
