/** Checks of a page in a browser: rules of axe, width of the content, and use by keyboard. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Ways in which a page is shown: theme and width of the window in pixels. Colors depend on the
 * theme alone and places on the width alone, so each is checked once.
 */
const VIEWS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const;
const HEIGHT_PX = 900;
/** Upper bound on the presses of the tab key. */
const MAX_TABS = 600;

/**
 * Returns violations of the rules of axe, and content wider than the window, in light on a wide
 * screen and in dark on a phone. Axe is injected, so the page needs a context with `bypassCSP`.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { colorScheme, width } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: HEIGHT_PX });
    const { passed, violations, contentPx } = await page.evaluate(async () => {
      const { axe: checker } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { passes, violations: broken } = await checker.run({
        resultTypes: ['violations'],
      });
      return {
        passed: passes.length,
        violations: broken.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' ')}`,
        ),
        contentPx: document.documentElement.scrollWidth,
      };
    });
    if (passed < 5) throw new Error(`axe applied ${passed} rules only to ${page.url()}`);
    if (contentPx > width) violations.push(`content is ${contentPx} pixels wide`);
    found.push(...violations.map((text) => `${colorScheme}, ${width} px: ${text}`));
  }
  return found;
}

/**
 * Returns controls that the tab key does not reach, and those without a visible focus. Disabled and
 * hidden controls, and all but one button of a group of radio buttons, are not reached.
 */
export async function findKeyboardFaults(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: HEIGHT_PX });
  const count = await page.evaluate(watchFocus);
  for (let tab = 0; tab < Math.min(count + 2, MAX_TABS); tab++) await page.keyboard.press('Tab');
  return page.evaluate(() =>
    (globalThis as unknown as { keyboardFaults: () => string[] }).keyboardFaults(),
  );
}

/** Marks reached controls from now on. Returns the number of controls. Runs in the page. */
function watchFocus(): number {
  const selector =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const controls = [...document.querySelectorAll<HTMLElement>(selector)].filter((control) => {
    if (control.matches(':disabled, [tabindex="-1"]')) return false;
    return control.checkVisibility({ visibilityProperty: true });
  });
  const reached = new Set<Element>();
  const invisible = new Set<Element>();
  const nameOf = (control: Element) => control.outerHTML.slice(0, 120);
  document.activeElement instanceof HTMLElement && document.activeElement.blur();
  document.addEventListener('focusin', ({ target }) => {
    const control = target as Element;
    reached.add(control);
    // The drop zone shows the focus of its invisible input.
    const shown = [control, control.nextElementSibling].some((each) => {
      if (each === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    });
    if (!shown) invisible.add(control);
  });
  const isReached = (control: HTMLElement) => {
    if (!(control instanceof HTMLInputElement) || control.type !== 'radio') {
      return reached.has(control);
    }
    return controls.some(
      (other) => reached.has(other) && (other as HTMLInputElement).name === control.name,
    );
  };
  Object.assign(globalThis, {
    keyboardFaults: () => [
      ...controls
        .filter((control) => control.isConnected && !isReached(control))
        .map((control) => `not reached: ${nameOf(control)}`),
      ...[...invisible].map((control) => `without visible focus: ${nameOf(control)}`),
    ],
  });
  return controls.length;
}
