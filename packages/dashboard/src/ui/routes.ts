/** Addresses of pages, in the part of the URL after `#`. */

export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'frame'; readonly id: string }
  | { readonly page: 'compare'; readonly a: string; readonly b: string }
  | { readonly page: 'studies' }
  | { readonly page: 'study'; readonly id: string }
  | { readonly page: 'sequences' }
  | { readonly page: 'sequence'; readonly id: string }
  | { readonly page: 'counters' }
  | { readonly page: 'document'; readonly path: string; readonly anchor: string }
  | { readonly page: 'unknown'; readonly hash: string };

/**
 * Returns the page of an address such as `#/frames/7c2e`, whatever its {@link parseQuery query}.
 */
export function parseRoute(hash: string): Route {
  const [path = ''] = hash.split('?', 1);
  const parts = path.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodePart);
  const [first, second, third] = parts;
  if (first === undefined) return { page: 'overview' };
  if (first === 'frames' && second !== undefined && parts.length === 2) {
    return { page: 'frame', id: second };
  }
  if (first === 'compare' && second !== undefined && third !== undefined && parts.length === 3) {
    return { page: 'compare', a: second, b: third };
  }
  if (first === 'studies' && parts.length === 1) return { page: 'studies' };
  if (first === 'studies' && second !== undefined && parts.length === 2) {
    return { page: 'study', id: second };
  }
  if (first === 'sequences' && parts.length === 1) return { page: 'sequences' };
  if (first === 'sequences' && second !== undefined && parts.length === 2) {
    return { page: 'sequence', id: second };
  }
  if (first === 'docs') return documentRoute(parts.slice(1));
  if (first === 'counters' && parts.length === 1) return { page: 'counters' };
  return { page: 'unknown', hash };
}

/** Returns the part of an address after a question mark: the state of its page. */
export function parseQuery(hash: string): URLSearchParams {
  const at = hash.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : hash.slice(at + 1));
}

/** Returns the address of a frame's page. */
export function frameHref(id: string): string {
  return `#/frames/${encodeURIComponent(id)}`;
}

/** Returns the address of the comparison of two frames. */
export function compareHref(a: string, b: string): string {
  return `#/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
}

/** Returns the address of a study's page. */
export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

/** Returns the address of a sequence's page. */
export function sequenceHref(id: string): string {
  return `#/sequences/${encodeURIComponent(id)}`;
}

/**
 * Returns the address of a document.
 *
 * @param path Path below the folder of documents.
 * @param anchor Heading, or an empty text.
 */
export function documentHref(path: string, anchor = ''): string {
  return `#/docs/${path}${anchor === '' ? '' : `/:${anchor}`}`;
}

/** Returns the document of an address. The last part may be a heading: `/:heading`. */
function documentRoute(parts: readonly string[]): Route {
  const last = parts.at(-1) ?? '';
  const hasAnchor = last.startsWith(':');
  const path = (hasAnchor ? parts.slice(0, -1) : parts).join('/');
  return {
    page: 'document',
    path: path === '' ? 'README.md' : path,
    anchor: hasAnchor ? last.slice(1) : '',
  };
}

/** Decodes a part of the address, or returns it unchanged if its encoding is invalid. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
