/** Content negotiation and request preferences (RFC 9110, section 12.5.1; RFC 7240). */
import { RenderError } from '@tessera/frame';

/** Upper bound on `Prefer: wait`. */
const MAX_WAIT_SECONDS = 300;

interface AcceptedRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/**
 * Returns the offered media type that the client prefers; the first one among equals.
 *
 * @throws {RenderError} NOT_ACCEPTABLE if it accepts none of them.
 */
export function chooseMediaType<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T {
  const ranges = parseAccept(accept ?? '*/*');
  let best: T | null = null;
  let bestQuality = 0;
  for (const mediaType of offered) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > bestQuality) {
      best = mediaType;
      bestQuality = quality;
    }
  }
  if (best === null) {
    throw new RenderError(
      'NOT_ACCEPTABLE',
      `Accept: '${(accept ?? '').slice(0, 100)}' accepts none of ${offered.join(', ')}`,
    );
  }
  return best;
}

function parseAccept(accept: string): AcceptedRange[] {
  return accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const [type, subtype] = range.split('/');
    if (!type || !subtype) return [];
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return [{ type, subtype, quality: Number.isFinite(quality) ? quality : 0 }];
  });
}

/** Returns the quality of the most specific range that matches, or 0. */
function qualityOf(mediaType: string, ranges: readonly AcceptedRange[]): number {
  const [type, subtype] = mediaType.split('/');
  let quality = 0;
  let bestSpecificity = -1;
  for (const range of ranges) {
    const isMatch =
      (range.type === '*' || range.type === type) &&
      (range.subtype === '*' || range.subtype === subtype);
    const specificity = (range.type === '*' ? 0 : 1) + (range.subtype === '*' ? 0 : 1);
    if (isMatch && specificity > bestSpecificity) {
      quality = range.quality;
      bestSpecificity = specificity;
    }
  }
  return quality;
}

/** Returns the seconds of `Prefer: wait=N`, at most {@link MAX_WAIT_SECONDS}, or 0 without one. */
export function waitSeconds(prefer: string | string[] | undefined): number {
  const preferences = (Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '')).split(/[,;]/);
  for (const preference of preferences) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*$/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), MAX_WAIT_SECONDS);
  }
  return 0;
}

/** Whether `If-None-Match` names the entity tag (RFC 9110, section 13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/**
 * Returns the address of the next page: that of this page with another cursor. Returns null after
 * the last page.
 */
export function nextPage(url: string, nextBefore: number | null): string | null {
  if (nextBefore === null) return null;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  searchParams.set('cursor', String(nextBefore));
  return `${pathname}?${searchParams}`;
}
