/**
 * Runs pages of the Khronos suite in Debian's Chromium with SwiftShader, a software renderer, one
 * page at a time. A page that does not end in time, or whose renderer crashes, gets a verdict, and
 * the next page starts with a new browser.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { SWIFTSHADER_FLAGS } from '../../webgl/chromium-images.ts';
import { MISSING_FEATURE } from '../missing-features.ts';
import {
  type CaseName,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGES,
  outcomeOf,
  type Verdict,
} from '../verdict.ts';
import { installHarness, type PageReport, type PageWindow } from './page-harness.ts';

/** Number of pages after which the browser is replaced, which frees what they leave behind. */
const PAGES_PER_BROWSER = 200;
/** Wall time in which an idle page answers. */
const ANSWER_TIMEOUT_MS = 5000;
const NO_REPORT: PageReport = { assertions: 0, failed: 0, messages: [], missing: [] };

/** Reason why a page is not awaited any longer. */
type PageEnd = 'finished' | 'timeout' | 'crash';

/** Browser that runs pages of a server. */
export class BrowserPages {
  readonly #executablePath: string;
  readonly #url: string;
  readonly #query: string;
  #browser: Browser | null = null;
  #context: BrowserContext | null = null;
  #pageCount = 0;
  #noteFinished: () => void = () => {};

  /**
   * @param url Address of the suite's folder.
   * @param query Query of each page's address.
   */
  constructor(executablePath: string, url: string, query: string) {
    this.#executablePath = executablePath;
    this.#url = url;
    this.#query = query;
  }

  /** Runs a page and returns its verdict. CPU time is not measured. */
  async run(testCase: CaseName, timeoutMs: number): Promise<Verdict> {
    if (this.#pageCount++ % PAGES_PER_BROWSER === 0) await this.close();
    const page = await (await this.#openContext()).newPage();
    const end = await this.#load(page, `${this.#url}/${testCase.name}${this.#query}`, timeoutMs);
    const report = end === 'crash' ? null : await answerOrNull(readReport(page));
    const isClosed = (await answerOrNull(page.close().then(() => true))) ?? false;
    if (end !== 'finished' || !isClosed) await this.close();
    return makeVerdict(testCase, end, report ?? NO_REPORT, timeoutMs);
  }

  /** Ends the browser. The next page starts a new one. */
  async close(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    this.#context = null;
    await browser?.close();
  }

  async #openContext(): Promise<BrowserContext> {
    if (this.#context !== null) return this.#context;
    this.#browser = await chromium.launch({
      executablePath: this.#executablePath,
      args: [...SWIFTSHADER_FLAGS],
    });
    const context = await this.#browser.newContext();
    await context.exposeFunction('conformancePageFinished', () => this.#noteFinished());
    await context.addInitScript(installHarness, {
      missingFeature: MISSING_FEATURE.source,
      maxMessages: MAX_MESSAGES,
      maxMessageLength: MAX_MESSAGE_LENGTH,
    });
    this.#context = context;
    return context;
  }

  #load(page: Page, address: string, timeoutMs: number): Promise<PageEnd> {
    return new Promise((resolve) => {
      const timer = setTimeout(finish, timeoutMs, 'timeout');
      function finish(end: PageEnd): void {
        clearTimeout(timer);
        resolve(end);
      }
      this.#noteFinished = () => finish('finished');
      page.on('crash', () => finish('crash'));
      page.on('close', () => finish('crash'));
      page.goto(address, { waitUntil: 'commit', timeout: timeoutMs }).catch(() => {});
    });
  }
}

/** Returns an answer, or `null` if there is none because the page is busy or gone. */
async function answerOrNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ANSWER_TIMEOUT_MS, null);
  });
  try {
    return await Promise.race([answer.catch(() => null), limit]);
  } finally {
    clearTimeout(timer);
  }
}

function readReport(page: Page): Promise<PageReport | undefined> {
  return page.evaluate(() => (globalThis as PageWindow).conformanceReport);
}

function makeVerdict(
  testCase: CaseName,
  end: PageEnd,
  { assertions, failed, messages, missing }: PageReport,
  timeoutMs: number,
): Verdict {
  const seconds = `${timeoutMs / 1000} s`;
  const reason = end === 'timeout' ? `timeout after ${seconds}` : 'the renderer ended';
  return {
    ...testCase,
    outcome: end === 'finished' ? outcomeOf(assertions, failed, missing.length) : end,
    assertions,
    failed,
    messages: end === 'finished' ? messages : [...messages, reason],
    missing,
    cpuMs: null,
  };
}
