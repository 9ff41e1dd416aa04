/** Builds the document of an HTML page. */
import { type Document, type Element, parseMarkup, ScriptElement } from '../dom/index.ts';

const ELEMENT_NODE = 1;

/**
 * Adds the nodes of a page's markup to its document one by one, so that each script runs when the
 * elements before it exist.
 */
export function buildDocument(document: Document, html: string): void {
  // The document type is no element. Offsets of scripts stay those of the page.
  const markup = html.replace(/<!doctype[^>]*>/i, (found) => ' '.repeat(found.length));
  addNodes(parseMarkup(document, markup), document.body);
}

function addNodes(nodes: Element['childNodes'], parent: Element): void {
  const { ownerDocument: document } = parent;
  for (const node of [...nodes]) {
    if (node.nodeType !== ELEMENT_NODE) parent.appendChild(node);
    else if (node instanceof ScriptElement) addScript(node, parent);
    else {
      const element = node as Element;
      const children = [...element.childNodes];
      for (const child of children) element.removeChild(child);
      addNodes(children, placeElement(document, element, parent));
    }
  }
}

/** The script runs as soon as it is in the document, with its text. */
function addScript(script: ScriptElement, parent: Element): void {
  script.isInert = false;
  parent.appendChild(script);
}

/** Adds an element without its children, and returns the element that receives them. */
function placeElement(document: Document, element: Element, parent: Element): Element {
  const { documentElement, head, body } = document;
  const existing = { html: documentElement, head, body }[element.localName];
  if (existing === undefined) return parent.appendChild(element);
  for (const [name, value] of element.attributeEntries()) existing.setAttribute(name, value);
  return existing;
}
