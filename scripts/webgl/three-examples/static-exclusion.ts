/** Pages that are excluded by their text, before a browser opens them. */

/** Reasons by the pattern of the page's text that shows them. */
const REASONS: readonly (readonly [pattern: RegExp, describe: (found: string) => string])[] = [
  [/"(https?:\/\/[^"]+)"(?=[^<]*<\/script>)/, (found) => `network address ${found}`],
  [/getUserMedia/, () => 'camera'],
  [/<(video)\b|createElement\( '(?:video)' \)/, () => 'video'],
];

/** Returns why a page cannot be compared, or null. */
export function findExclusion(html: string): string | null {
  const maps = /<script type="importmap">[\s\S]*?<\/script>/.exec(html)?.[0] ?? '';
  for (const [index, [pattern, describe]] of REASONS.entries()) {
    const found = pattern.exec(index === 0 ? maps : html);
    if (found !== null) return describe(found[1] ?? '');
  }
  return null;
}
