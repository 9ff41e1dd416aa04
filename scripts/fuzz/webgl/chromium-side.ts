/** Executes lists of calls on contexts of Chromium with SwiftShader, a software renderer. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startChromium } from '../../webgl/chromium-images.ts';
import type { CallList } from './calls/call-list.ts';
import type { Outcome } from './execute-calls.ts';
import { CANVAS_EDGE_PX } from './tessera-side.ts';

/** Number of lists that one page executes. Each list has its own context. */
const LISTS_PER_PAGE = 40;

/** Part of the message of a page that has crashed. */
const CRASHED = 'Target crashed';

/** Running browser. */
export interface ChromiumSide {
  /** Executes a list in a new context. Returns null if the list crashes the page. */
  readonly run: (
    list: CallList,
    skippedExtensions: readonly string[],
  ) => Promise<readonly Outcome[] | null>;
  readonly listExtensions: (version: 1 | 2) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Starts a browser. */
export async function startChromiumSide(executablePath: string): Promise<ChromiumSide> {
  const browser = await startChromium(executablePath);
  let page: Page | null = null;
  let runCount = 0;
  const currentPage = async (): Promise<Page> => {
    if (page !== null && runCount % LISTS_PER_PAGE !== 0) return page;
    await page?.close();
    page = await browser.newPage();
    await page.evaluate(pageProgram());
    return page;
  };
  return {
    run: async (list, skippedExtensions) => {
      const current = await currentPage();
      runCount++;
      const given = JSON.stringify([list, skippedExtensions]);
      try {
        return (await current.evaluate(`runList(...${given})`)) as readonly Outcome[];
      } catch (error) {
        if (!String(error).includes(CRASHED)) throw error;
        page = null;
        return null;
      }
    },
    listExtensions: async (version) => {
      const current = await currentPage();
      runCount++;
      return (await current.evaluate(`listExtensions(${version})`)) as readonly string[];
    },
    close: () => browser.close(),
  };
}

/** Returns the text that defines the functions of a page. */
function pageProgram(): string {
  const [executor, foreign] = ['execute-calls.ts', 'foreign-objects.ts'].map((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const program = Buffer.from(stripTypeScriptTypes(text)).toString('base64');
    return `data:text/javascript;base64,${program}`;
  });
  return `(async () => {
    const { executeCalls } = await import('${executor}');
    const { createForeignObjects } = await import('${foreign}');
    const makeContext = (version, attributes) => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = ${CANVAS_EDGE_PX};
      return canvas.getContext(version === 2 ? 'webgl2' : 'webgl', attributes);
    };
    const kept = {};
    const foreignObjects = (version) => {
      kept[version] ??= createForeignObjects(makeContext(version));
      return kept[version];
    };
    window.listExtensions = (version) => makeContext(version).getSupportedExtensions();
    window.runList = ({ version, attributes, calls }, skippedExtensions) => {
      const gl = makeContext(version, attributes);
      const lose = gl.getExtension('WEBGL_lose_context');
      const makeImage = (widthPx, heightPx) => new ImageData(widthPx, heightPx);
      const foreign = foreignObjects(version);
      const outcomes = [];
      executeCalls({ gl, foreign, makeImage, skippedExtensions }, calls, outcomes);
      // A page has at most 16 contexts.
      lose.loseContext();
      return outcomes;
    };
  })()`;
}
