/**
 * Trust in hosts: a bin of a host that is not trusted is used only when another host gives the same result.
 *
 * Source: adaptive replication of BOINC (Anderson, "BOINC: A Platform for Volunteer Computing", Journal of Grid
 * Computing 18, 2020): work of an unknown host is replicated until results have agreed a number of times in a row; a
 * share of the work of trusted hosts is replicated forever, and a wrong result takes the trust back.
 */

import { RenderError } from '@tessera/frame';

/**
 * Agreed bins in a row that make a host trusted. They show a broken or different build of the host, which is wrong
 * from its first bin on. A host that lies later is found by the share of bins that is always checked, so a larger
 * number would only cost each fresh worker more bins.
 */
export const TRUSTED_AFTER_BINS = 2;

/** Record of one host, the same object for all frames while the host is connected. */
export class HostTrust {
  readonly #isAlwaysTrusted: boolean;
  #agreedBins = 0;
  #lies = 0;
  /** Number of bins that the host renders now without being trusted, over all frames. */
  unprovenRuns = 0;

  /** @param isAlwaysTrusted Whether the host needs no agreement, such as one in this process. */
  constructor(isAlwaysTrusted: boolean) {
    this.#isAlwaysTrusted = isAlwaysTrusted;
  }

  get isTrusted(): boolean {
    return this.#isAlwaysTrusted || this.#agreedBins >= TRUSTED_AFTER_BINS;
  }

  /** Number of bins that another host rendered to the same result, since the last lie. */
  get agreedBins(): number {
    return this.#agreedBins;
  }

  /** Number of wrong results. */
  get lies(): number {
    return this.#lies;
  }

  noteAgreement(): void {
    this.#agreedBins++;
  }

  noteLie(): void {
    this.#lies++;
    this.#agreedBins = 0;
  }
}

/** Hosts whose results are part of a frame, each with the number of its lies at that time. */
export class Contributors {
  readonly #liesByTrust = new Map<HostTrust, number>();

  add(trust: HostTrust): void {
    if (!this.#liesByTrust.has(trust)) this.#liesByTrust.set(trust, trust.lies);
  }

  /** Whether one of them gave a wrong result, here or elsewhere, after it contributed. */
  get haveLied(): boolean {
    for (const [trust, lies] of this.#liesByTrust) if (trust.lies !== lies) return true;
    return false;
  }
}

/** Makes the error of a frame whose contributors have lied: it has to be rendered again. */
export function makeLieError(): RenderError {
  const what = 'a chiplet that rendered bins of the frame gave a wrong result';
  return new RenderError('CHIPLET_LOST', what);
}
