/** `DOMParser` (HTML standard, section 8.5) for XML, which loaders of models and images parse. */
import type { Document } from '../elements/document.ts';
import type { Element } from '../elements/element.ts';
import { parseXml } from './parse-xml.ts';
import { XmlElement } from './xml-element.ts';

const XML_TYPES = ['text/xml', 'application/xml', 'application/xhtml+xml', 'image/svg+xml'];

/** Document of parsed XML. */
export class XmlDocument extends EventTarget {
  readonly nodeType = 9;
  readonly nodeName = '#document';
  readonly documentElement: XmlElement;

  constructor(documentElement: XmlElement) {
    super();
    this.documentElement = documentElement;
  }

  get childNodes(): Element[] {
    return [this.documentElement];
  }

  get children(): Element[] {
    return this.childNodes;
  }

  get firstChild(): Element {
    return this.documentElement;
  }

  get firstElementChild(): Element {
    return this.documentElement;
  }

  getElementsByTagName(name: string): Element[] {
    return this.#listAll().filter((each) => name === '*' || each.tagName === name);
  }

  getElementById(id: string): Element | null {
    return this.#listAll().find((each) => each.id === id) ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return this.#listAll().filter((each) => each.matches(selector));
  }

  querySelector(selector: string): Element | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  #listAll(): Element[] {
    return [this.documentElement, ...this.documentElement.getElementsByTagName('*')];
  }
}

/** Returns the class of the parsers of a page. */
export function domParserOf(document: Document) {
  return class DOMParser {
    /**
     * Parses XML. If it is not well-formed, the document has a `parsererror` element with the
     * reason.
     *
     * @throws {DOMException} NotSupportedError for HTML.
     * @throws {TypeError} For other types.
     */
    parseFromString(text: string, type: string): XmlDocument {
      if (type === 'text/html') {
        const message = 'DOMParser: documents of HTML are not supported, only those of XML';
        throw new DOMException(message, 'NotSupportedError');
      }
      if (!XML_TYPES.includes(type)) throw new TypeError(`DOMParser: ${type} is no type of XML`);
      return new XmlDocument(parseOrExplain(document, String(text)));
    }
  };
}

function parseOrExplain(document: Document, text: string): XmlElement {
  try {
    return parseXml(document, text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const element = new XmlElement(document, 'parsererror');
    element.textContent = error.message;
    return element;
  }
}
