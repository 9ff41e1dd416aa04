/** Errors of a work engine that callers tell apart. */

/** Error of an engine whose database does not answer. The request may be repeated. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}

/** Error of a submission that exceeds the quota of its tenant. */
export class QuotaExceededError extends Error {
  override readonly name = 'QuotaExceededError';
}

/** Error of an address that no engine has, or of a database that this version cannot use. */
export class EngineUrlError extends Error {
  override readonly name = 'EngineUrlError';
}
