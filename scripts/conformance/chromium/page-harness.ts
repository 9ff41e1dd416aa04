/** Harness of a page in a browser: counts what the page reports. */

/** Results that a page has reported so far. */
export interface PageReport {
  assertions: number;
  failed: number;
  /** First messages of failed assertions. */
  readonly messages: string[];
  /** First passed assertions that state the absence of a feature. */
  readonly missing: string[];
}

/** Argument of the harness, which runs in the page and has no access to this module. */
export interface HarnessLimits {
  readonly missingFeature: string;
  readonly maxMessages: number;
  readonly maxMessageLength: number;
}

/** Names that the harness uses in the page. */
export interface PageWindow {
  webglTestHarness?: object;
  conformanceReport?: PageReport;
  conformancePageFinished?(): void;
}

/**
 * Installs the harness. Runs in the page before its scripts, so it refers to nothing outside.
 * Frames of a page are not pages of the suite and have no harness.
 */
export function installHarness({
  missingFeature,
  maxMessages,
  maxMessageLength,
}: HarnessLimits): void {
  const page: PageWindow & { readonly top?: unknown; readonly location: Location } = globalThis;
  if (page !== page.top) return;
  // These pages make millions of assertions and do not state the absence of a feature in one.
  const isDeqp = page.location.pathname.startsWith('/deqp/');
  const pattern = new RegExp(missingFeature);
  const report: PageReport = { assertions: 0, failed: 0, messages: [], missing: [] };
  const keep = (list: string[], message: unknown): void => {
    if (list.length < maxMessages) list.push(String(message).slice(0, maxMessageLength));
  };
  const reportResults = (_page: string, isPass: boolean, message: string, isSkipped?: boolean) => {
    if (isSkipped === true || (isPass && !isDeqp && pattern.test(message)))
      keep(report.missing, message);
    else {
      report.assertions++;
      if (isPass) return;
      report.failed++;
      keep(report.messages, message);
    }
  };
  page.conformanceReport = report;
  page.webglTestHarness = {
    reportResults,
    // Some pages make assertions after they have reported their end.
    notifyFinished: () => setTimeout(() => page.conformancePageFinished!(), 0),
  };
}
