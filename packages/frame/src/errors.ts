/** Failures that are not bugs, and the table of their codes. docs/errors.md lists the same; a test compares. */

/** What each error code means to a caller of the service. */
export const ERROR_CODES = {
  REQUEST_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'a query parameter, header or body of the request breaks its schema',
  },
  UNAUTHENTICATED: {
    httpStatus: 401,
    isRetryable: false,
    meaning: 'the request has no valid token; it belongs in the header Authorization: Bearer',
  },
  ORIGIN_REFUSED: {
    httpStatus: 403,
    isRetryable: false,
    meaning: 'the request comes from a page of another origin, or under a host name not ours',
  },
  REQUEST_TIMEOUT: {
    httpStatus: 408,
    isRetryable: true,
    meaning: 'the client took too long to send its request',
  },
  RATE_LIMITED: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'too many requests of this client; try again after Retry-After seconds',
  },
  HEADERS_TOO_LARGE: {
    httpStatus: 431,
    isRetryable: false,
    meaning: 'the headers of the request are larger than the service takes',
  },
  TOO_MANY_CONNECTIONS: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'as many connections have a request in progress as the service allows, of this client or of all; try again later',
  },
  TOO_MANY_STREAMS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'as many streams of events are open as the service has; try again later',
  },
  TOO_MANY_COMPUTATIONS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'as many computed results are waited for as the service takes; try again later',
  },
  TOO_MANY_SEQUENCES: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'as many sequences run as the service takes; try again later',
  },
  FRAME_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'the frame breaks a rule of the frame format; the message names the place',
  },
  FRAME_UNSUPPORTED: {
    httpStatus: 422,
    isRetryable: false,
    meaning: 'the frame is well formed but asks for something the simulated GPU does not have',
  },
  MODEL_INVALID: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'the glTF model cannot be read; the message names the place',
  },
  MODEL_UNSUPPORTED: {
    httpStatus: 422,
    isRetryable: false,
    meaning: 'the glTF model requires an extension that Tessera does not have',
  },
  LIMIT_EXCEEDED: {
    httpStatus: 413,
    isRetryable: false,
    meaning: 'the input is larger than a configured limit; the message names limit and value',
  },
  SHADER_COMPILE_FAILED: {
    httpStatus: 400,
    isRetryable: false,
    meaning: 'a shader of the frame does not compile or link; the message is the compiler log',
  },
  SHADER_BUDGET_EXCEEDED: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'a shader invocation, the shaders of a coarse bin or those of the frame took more instructions than their budget allows',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    httpStatus: 415,
    isRetryable: false,
    meaning: 'the content type of the body is none that the service reads',
  },
  NOT_ACCEPTABLE: {
    httpStatus: 406,
    isRetryable: false,
    meaning: 'none of the media types of the Accept header can be given',
  },
  RESOURCES_MISSING: {
    httpStatus: 409,
    isRetryable: false,
    meaning:
      'the frame names resources that the service does not have; the problem lists them under `missing`',
  },
  NOT_FOUND: { httpStatus: 404, isRetryable: false, meaning: 'no such frame, route or result' },
  RESULT_NOT_READY: {
    httpStatus: 409,
    isRetryable: true,
    meaning: 'the frame is not done yet, so it has no image and no report',
  },
  RESULT_DAMAGED: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'a stored file of the result is damaged or missing; the frame is rendered again from what was posted',
  },
  SOURCE_DAMAGED: {
    httpStatus: 500,
    isRetryable: false,
    meaning:
      'a stored file of what was posted is damaged or missing, so the frame cannot be rendered; send the request again',
  },
  IDEMPOTENCY_KEY_REUSED: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'the Idempotency-Key was given to another request before; a new request needs a new key',
  },
  FRAME_CANCELLED: { httpStatus: 410, isRetryable: false, meaning: 'the frame was cancelled' },
  QUEUE_FULL: {
    httpStatus: 429,
    isRetryable: true,
    meaning: 'the queue of frames is full; try again after Retry-After seconds',
  },
  UPLOADS_FULL: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'bodies on their way hold as many bytes as the service allows, and this one is the largest; try again later',
  },
  STORAGE_FULL: {
    httpStatus: 507,
    isRetryable: true,
    meaning: 'the disk of the service is full, so nothing that is posted can be kept',
  },
  CHIPLET_LOST: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'chiplets went away while the frame was rendered, and too few are left to finish it',
  },
  CHIPLET_TIMEOUT: {
    httpStatus: 504,
    isRetryable: true,
    meaning: 'a chiplet did not answer in time',
  },
  CHIPLETS_DISAGREE: {
    httpStatus: 503,
    isRetryable: true,
    meaning:
      'chiplets gave different results for the same part of the frame, and no other chiplet is there to tell which is right; the message names the part',
  },
  FRAME_KILLS_CHIPLETS: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'chiplets went away again and again at one piece of work of the frame, so it is not tried any more; the message names the piece',
  },
  FRAME_KILLS_COORDINATOR: {
    httpStatus: 422,
    isRetryable: false,
    meaning:
      'the coordinator ended again and again while it rendered this frame and no other, so it is not tried any more',
  },
  FRAME_TIMEOUT: {
    httpStatus: 504,
    isRetryable: false,
    meaning: 'the frame was worked at for longer than the service allows',
  },
  NO_CHIPLETS: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'no visibility chiplet or no chiplet that renders bins is connected',
  },
  SHUTTING_DOWN: {
    httpStatus: 503,
    isRetryable: true,
    meaning: 'the service is stopping and admits no new frames',
  },
  INTERNAL: {
    httpStatus: 500,
    isRetryable: false,
    meaning: 'a bug of Tessera; the log has the stack under the frame id',
  },
} as const;

/** A key of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** A failure that is not a bug: bad input, or a chiplet that went away. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: ErrorCode;

  /** @param message One line: where, what was found, what is allowed. */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
