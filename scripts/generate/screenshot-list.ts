/** Pages of the dashboard and the ways in which docs/images shows them. */

/** Themes of the pages. */
export const THEMES = ['light', 'dark'] as const;
/** Sizes of the window. */
export const SCREENS = {
  wide: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/** Sections of a frame's page that open on request: name, button, and what they show then. */
export const SECTIONS = [
  ['pixels', 'Look into pixels and draws', 'canvas.heat:not([hidden])'],
  ['shaders', 'Look into shaders', '.shader-explorer .code-row'],
] as const;

/** Returns the addresses of the pages by name. */
export function listPages(shown: {
  readonly frame: string;
  readonly other: string;
  readonly study: string;
  readonly sequence: string;
}): Readonly<Record<string, string>> {
  const { frame, other, study, sequence } = shown;
  return {
    overview: '/#/',
    frame: `/#/frames/${frame}`,
    compare: `/#/compare/${frame}/${other}`,
    studies: '/#/studies',
    study: `/#/studies/${study}`,
    sequences: '/#/sequences',
    sequence: `/#/sequences/${sequence}`,
    counters: '/#/counters',
    documents: '/#/docs/README.md',
    api: '/docs',
  };
}

/** Returns the name of a file in docs/images. */
export function screenshotName(page: string, theme: string, screen: string): string {
  return `${page}-${theme}-${screen}.jpg`;
}
