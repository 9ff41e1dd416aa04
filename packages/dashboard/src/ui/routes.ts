/** Addresses of pages: what stands after the number sign. */

export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'frame'; readonly id: string }
  | { readonly page: 'compare'; readonly a: string; readonly b: string }
  | { readonly page: 'studies' }
  | { readonly page: 'study'; readonly id: string }
  | { readonly page: 'sequences' }
  | { readonly page: 'sequence'; readonly id: string }
  | { readonly page: 'counters' }
  | { readonly page: 'unknown'; readonly hash: string };

/** The page of an address such as `#/frames/7c2e`. */
export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodePart);
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
  if (first === 'counters' && parts.length === 1) return { page: 'counters' };
  return { page: 'unknown', hash };
}

export function frameHref(id: string): string {
  return `#/frames/${encodeURIComponent(id)}`;
}

export function compareHref(a: string, b: string): string {
  return `#/compare/${encodeURIComponent(a)}/${encodeURIComponent(b)}`;
}

export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

export function sequenceHref(id: string): string {
  return `#/sequences/${encodeURIComponent(id)}`;
}

/** A part as it is where it is no valid encoding. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
