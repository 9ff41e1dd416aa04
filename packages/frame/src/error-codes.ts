/** Codes of failures that are not bugs. A test compares the table with docs/errors.md. */

/** HTTP status and meaning of each error code, for clients of the service. */
export const ERROR_CODES = {
  REQUEST_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'a query parameter, a header or the body of the request does not match its schema',
  },
  UNAUTHENTICATED: {
    httpStatus: 401,
    isRetryable: false,
    meaning: 'the request has no valid token in the header Authorization: Bearer',
  },
  ORIGIN_REFUSED: {
    httpStatus: 403,
    isRetryable: false,
    meaning:
      'the request comes from a page of another origin or names a host that the service does not serve',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    isRetryable: true,
    meaning: 'the client took too long to send its request',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'the client sent too many requests; try again after Retry-After seconds',
  },
  HEADERS_TOO_LARGE: {
    httpStatus: 431,
    isRetryable: false,
    meaning: 'the headers of the request are larger than the service accepts',
  },
  TOO_MANY_CONNECTIONS: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'too many connections have a request in progress, from this client or from all clients; try again later',
  },
  TOO_MANY_STREAMS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'too many event streams are open; try again later',
  },
  TOO_MANY_COMPUTATIONS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'too many computations are pending; try again later',
  },
  TOO_MANY_SEQUENCES: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'too many sequences are running; try again later',
  },
  FRAME_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'the frame breaks a rule of the frame format',
  },
  FRAME_UNSUPPORTED: {
    httpStatus: 422,
    isRetryable: false,
    meaning: 'the frame is well formed but requires a feature that the simulated GPU does not have',
  },
  MODEL_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'the glTF model is invalid',
  },
  MODEL_UNSUPPORTED: {
    httpStatus: 422,
    isRetryable: false,
    meaning: 'the glTF model requires an extension that Tessera does not support',
  },
  LIMIT_EXCEEDED: {
    httpStatus: 413,
    isRetryable: false,
    meaning: 'the input exceeds a configured limit',
  },
  SHADER_COMPILE_FAILED: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'a shader of the frame does not compile or link',
  },
  SHADER_BUDGET_EXCEEDED: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'a shader invocation, the shaders of a coarse bin or the shaders of the frame exceeded their instruction budget',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    httpStatus: 415,
    isRetryable: false,
    meaning: 'the service does not support the content type of the body',
  },
  NOT_ACCEPTABLE: {
    httpStatus: 406,
    isRetryable: false,
    meaning: 'the service cannot provide any of the media types in the Accept header',
  },
  RESOURCES_MISSING: {
    httpStatus: 409,
    isRetryable: false,
    meaning:
      'the frame names resources that the service does not have; the problem document lists them under `missing`',
  },
  UPLOAD_OFFSET_WRONG: {
    httpStatus: 409,
    isRetryable: false,
    meaning:
      'the upload continues at another offset, which the header Upload-Offset of the answer contains',
  },
  UPLOAD_BUSY: {
    httpStatus: 409,
    isRetryable: true,
    meaning:
      'another request is sending or storing the same upload; ask for its offset and try again later',
  },
  CONTENT_MISMATCH: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'the content of the upload does not match the SHA-256 in its path; the upload starts over',
  },
  BLOBS_UNAVAILABLE: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'the store of blobs is away or full; try again later',
  },
  NOT_FOUND: {
    httpStatus: 404,
    isRetryable: false,
    meaning: 'the frame, route or result does not exist',
  },
  RESULT_NOT_READY: {
    httpStatus: 409,
    isRetryable: true,
    meaning: 'the frame is not finished yet, so it has no image and no report',
  },
  MEASUREMENT_MISSING: {
    httpStatus: 409,
    isRetryable: false,
    meaning:
      'the frame has coupling=exact or organization=sort-last, so nothing can be estimated for other numbers of chiplets; render it again with coupling=none and organization=binned',
  },
  RESULT_DAMAGED: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'a stored file of the result is damaged or missing; the service renders the frame again from its source',
  },
  SOURCE_DAMAGED: {
    httpStatus: 500,
    isRetryable: false,
    meaning:
      'a stored file of the frame’s source is damaged or missing, so the frame cannot be rendered; send the request again',
  },
  IDEMPOTENCY_KEY_REUSED: {
    httpStatus: 422,
    isRetryable: false,
    meaning: 'the Idempotency-Key was already used for a different request; use a new key',
  },
  FRAME_CANCELLED: { httpStatus: 410, isRetryable: false, meaning: 'the frame was cancelled' },
  QUEUE_FULL: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'the frame queue is full; try again after Retry-After seconds',
  },
  UPLOADS_FULL: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'request bodies in transfer exceed the permitted total size, and this body is the largest; try again later',
  },
  STORAGE_FULL: {
    httpStatus: 507,
    isRetryable: true,
    meaning: 'the disk of the service is full, so it cannot store the request',
  },
  CHIPLET_LOST: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'chiplets were lost while the frame was rendering, and too few are left to finish it',
  },
  CHIPLET_TIMEOUT: {
    httpStatus: 504,
    isRetryable: true,
    meaning: 'a chiplet did not respond in time',
  },
  CHIPLETS_DISAGREE: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'chiplets returned different results for the same part of the frame, and no other chiplet is available to decide',
  },
  FRAME_KILLS_CHIPLETS: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'chiplets were lost repeatedly while they rendered the same part of the frame, so it is not retried',
  },
  FRAME_KILLS_COORDINATOR: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'the coordinator terminated repeatedly while it rendered only this frame, so the frame is not retried',
  },
  FRAME_TIMEOUT: {
    httpStatus: 504,
    isRetryable: false,
    meaning: 'rendering the frame took longer than the service allows',
  },
  QUOTA_EXCEEDED: {
    httpStatus: 429,
    isRetryable: true,
    meaning:
      'the client has used up one of its quotas; `detail` and `quota` name it, and Retry-After is given if waiting helps',
  },
  ENGINE_UNAVAILABLE: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'the database of the cluster does not answer; try again later',
  },
  CELL_LOST: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'several cells of the cluster ended while they rendered the frame',
  },
  NO_CHIPLETS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'no visibility chiplet is connected, or no chiplet that renders bins',
  },
  SHUTTING_DOWN: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'the service is shutting down and does not accept new frames',
  },
  INTERNAL: {
    httpStatus: 500,
    isRetryable: false,
    meaning: 'a bug in Tessera; the log contains the stack trace under the frame id',
  },
} as const;

/** Error code, a key of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;
