/** Errors as clients receive them: problem details (RFC 9457) with a stable `code`. */
import { ERROR_CODES, type ErrorCode, RenderError } from '@tessera/frame';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import Type from 'typebox';
import { QuotaError, type QuotaUse } from '../../admission/quota-error.ts';
import { QUOTA_NAMES } from '../../config/clients.ts';
import { MissingResourcesError } from '../../store/missing-resources.ts';

/** Media type of problems. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
/** Time after which a client may retry, if no better estimate exists. */
const RETRY_AFTER_SECONDS = 1;
/**
 * Codes of errors of a body whose client disconnected: while it is read, or before its first read.
 */
const CUT_OFF = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

/**
 * Schema of a route whose body is streamed. `documentedBody` describes the body, because fastify
 * would validate `body` before the stream is read.
 */
export interface DocumentedSchema extends FastifySchema {
  readonly documentedBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** Problem in the OpenAPI document. */
export const PROBLEM_SCHEMA = Type.Object(
  {
    type: Type.String({ description: 'urn:tessera:problem: followed by the code' }),
    title: Type.String({ description: 'Meaning of the code' }),
    status: Type.Integer(),
    detail: Type.String({ description: 'Cause of this problem: place, value, permitted values' }),
    code: Type.Enum(Object.keys(ERROR_CODES) as ErrorCode[]),
    instance: Type.String({ description: 'Path of the request' }),
    missing: Type.Optional(
      Type.Array(Type.String(), {
        description: 'SHA-256 of each missing resource, with RESOURCES_MISSING',
      }),
    ),
    quota: Type.Optional(
      Type.Object(
        { name: Type.Enum(QUOTA_NAMES), limit: Type.Number(), used: Type.Number() },
        { description: 'Quota that is used up, with QUOTA_EXCEEDED' },
      ),
    ),
  },
  { $id: 'Problem', description: 'Problem details, RFC 9457' },
);

/** Problem as an object. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly instance: string;
  readonly missing?: readonly string[] | undefined;
  readonly quota?: QuotaUse | undefined;
}

/** Fields of a problem that only some errors have. */
export interface ProblemDetails {
  readonly missing?: readonly string[] | undefined;
  readonly quota?: QuotaUse | undefined;
  /** Replaces the default; null for no time after which a client may retry. */
  readonly retryAfterSeconds?: number | null;
}

/**
 * Returns the problem of an error.
 *
 * @param instance Path of the request, or an empty string.
 */
export function problemOf(code: ErrorCode, detail: string, instance: string): Problem {
  const { httpStatus: status, meaning: title } = ERROR_CODES[code];
  return { type: `urn:tessera:problem:${code}`, title, status, detail, code, instance };
}

/** Sends a problem. */
export async function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  detail: string,
  { missing, quota, retryAfterSeconds = RETRY_AFTER_SECONDS }: ProblemDetails = {},
): Promise<void> {
  const problem = { ...problemOf(code, detail, request.url.split('?', 1)[0]!), missing, quota };
  if (ERROR_CODES[code].isRetryable && retryAfterSeconds !== null) {
    reply.header('Retry-After', retryAfterSeconds);
  }
  // A string, to which fastify applies no response schema.
  await reply.code(problem.status).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
}

/** Error handler of fastify: sends every error as a problem and logs bugs with their stack. */
export async function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { code, detail } = classify(error, request);
  if (code === 'INTERNAL') request.log.error({ err: error }, 'request failed because of a bug');
  await sendProblem(request, reply, code, detail, detailsOf(error));
}

function detailsOf(error: unknown): ProblemDetails {
  if (error instanceof MissingResourcesError) return { missing: error.missing };
  if (!(error instanceof QuotaError)) return {};
  return { quota: error.quota, retryAfterSeconds: error.retryAfterSeconds };
}

function classify(error: unknown, request: FastifyRequest): { code: ErrorCode; detail: string } {
  if (error instanceof RenderError) return { code: error.code, detail: error.message };
  if (!(error instanceof Error))
    return { code: 'INTERNAL', detail: 'internal error; the log has details' };
  const { statusCode, validation, validationContext, message, code } =
    error as Partial<FastifyError>;
  // The client disconnected while sending its body, so it does not receive the answer.
  if (CUT_OFF.includes(code ?? '')) {
    return { code: 'REQUEST_INVALID', detail: 'the body was cut off' };
  }
  if (validation !== undefined) {
    return { code: 'REQUEST_INVALID', detail: describeValidation(validation, validationContext) };
  }
  if (statusCode === 413) return { code: 'LIMIT_EXCEEDED', detail: message ?? 'too large' };
  if (statusCode === 415) {
    return { code: 'MEDIA_TYPE_UNSUPPORTED', detail: describeMediaTypes(request) };
  }
  if (statusCode === 401) return { code: 'UNAUTHENTICATED', detail: message ?? 'no token' };
  if (statusCode === 404) return { code: 'NOT_FOUND', detail: message ?? 'not found' };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { code: 'REQUEST_INVALID', detail: message ?? 'invalid' };
  }
  return { code: 'INTERNAL', detail: 'internal error; the log has details' };
}

/** Returns the media type of the request and those that its route accepts. */
export function describeMediaTypes({ headers, routeOptions }: FastifyRequest): string {
  const { documentedBody } = (routeOptions.schema ?? {}) as DocumentedSchema;
  const accepted = Object.keys(documentedBody?.content ?? { 'application/json': null });
  const given = headers['content-type'];
  const problem = given === undefined ? 'missing' : `'${given}' is not accepted`;
  return `Content-Type: ${problem}; send ${accepted.join(', ')}`;
}

function describeValidation(
  validation: NonNullable<FastifyError['validation']>,
  context: string | undefined,
): string {
  const where = context === 'querystring' ? 'query' : (context ?? 'request');
  const problems = validation.map(({ instancePath, message, params }) => {
    const place = [where, ...instancePath.split('/').slice(1)].join('.');
    if (typeof params.additionalProperty === 'string') {
      return `${where}.${params.additionalProperty}: unknown parameter`;
    }
    const allowed: unknown = params.allowedValues;
    if (Array.isArray(allowed)) return `${place}: must be one of ${allowed.join(', ')}`;
    return `${place}: ${message ?? 'invalid'}`;
  });
  return problems.join('; ');
}
