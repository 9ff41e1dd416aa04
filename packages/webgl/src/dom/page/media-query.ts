/**
 * `matchMedia` of a page whose size and resolution never change. Features other than width, height
 * and resolution, such as `prefers-color-scheme`, do not match.
 */

/** Size of the page in pixels, and its device pixels per CSS pixel. */
export interface PageMedia {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly resolution: number;
}

/** Result of `matchMedia`. It fires no `change`, because the page does not change. */
export class MediaQueryList extends EventTarget {
  readonly media: string;
  readonly matches: boolean;
  onchange: ((event: Event) => void) | null = null;

  constructor(media: string, matches: boolean) {
    super();
    this.media = media;
    this.matches = matches;
  }

  addListener(listener: (event: Event) => void): void {
    this.addEventListener('change', listener);
  }

  removeListener(listener: (event: Event) => void): void {
    this.removeEventListener('change', listener);
  }
}

/** Evaluates alternatives, such as `screen and (min-width: 600px), print`. */
export function matchMedia(media: PageMedia, query: string): MediaQueryList {
  const text = String(query).trim();
  const matches = text.split(',').some((each) => {
    const parts = each
      .trim()
      .toLowerCase()
      .split(/\s+and\s+/);
    return parts.every((part) => matchesPart(media, part.replace(/^only\s+/, '')));
  });
  return new MediaQueryList(text, matches);
}

function matchesPart({ widthPx, heightPx, resolution }: PageMedia, part: string): boolean {
  if (['', 'all', 'screen'].includes(part)) return true;
  const feature = /^\((min-|max-)?(width|height|resolution)\s*:\s*([\d.]+)(px|dppx|x)\)$/.exec(
    part,
  );
  if (feature === null) return false;
  const [, bound, name, limitText] = feature;
  const value = { width: widthPx, height: heightPx, resolution }[name!]!;
  const limit = Number(limitText);
  if (bound === 'min-') return value >= limit;
  return bound === 'max-' ? value <= limit : value === limit;
}
