/**
 * Trust in render hosts. A bin of a host that is not trusted is used only when another host gives
 * the same result.
 *
 * Source: adaptive replication of BOINC (Anderson, "BOINC: A Platform for Volunteer Computing",
 * Journal of Grid Computing 18, 2020). Work of an unknown host is replicated until its results have
 * agreed a number of times in a row. A share of the work of trusted hosts is always replicated, and
 * a wrong result revokes the trust.
 */

import { RenderError } from '@tessera/frame';

/**
 * Number of agreed bins in a row that make a host trusted. They reveal a broken or different build,
 * which is wrong from its first bin on. The share of bins that is always checked finds a host that
 * lies later, so a larger number would only cost each new worker more bins.
 */
export const TRUSTED_AFTER_BINS = 2;

/** Record of one host, the same object for all frames while the host is connected. */
export class HostTrust {
  readonly #isAlwaysTrusted: boolean;
  #agreedBins = 0;
  #lies = 0;
  /** Number of bins that the host is rendering without being trusted, over all frames. */
  unprovenRuns = 0;

  /** @param isAlwaysTrusted Whether the host needs no agreement, such as one in this process. */
  constructor(isAlwaysTrusted: boolean) {
    this.#isAlwaysTrusted = isAlwaysTrusted;
  }

  get isTrusted(): boolean {
    return this.#isAlwaysTrusted || this.#agreedBins >= TRUSTED_AFTER_BINS;
  }

  /** Number of bins that another host rendered with the same result, since the last lie. */
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

  /** Whether any of them gave a wrong result, here or elsewhere, after it contributed. */
  get haveLied(): boolean {
    for (const [trust, lies] of this.#liesByTrust) if (trust.lies !== lies) return true;
    return false;
  }
}

/** Returns the error of a frame whose contributors have lied. The frame must be rendered again. */
export function makeLieError(): RenderError {
  const what = 'a chiplet that rendered bins of the frame gave a wrong result';
  return new RenderError('CHIPLET_LOST', what);
}
