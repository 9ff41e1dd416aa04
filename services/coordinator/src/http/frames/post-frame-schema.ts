/** Schema and documentation of `POST /v1/frames`. */
import Type, { type Static } from 'typebox';
import { LABEL_QUERY } from '../protocol/labels.ts';
import {
  binaryContent,
  FILE_SCHEMA,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
} from '../protocol/response-schemas.ts';
import { BODY_KINDS, MULTIPART_MEDIA_TYPE } from './frame-body.ts';
import { FRAME_QUERY_SCHEMA, FRAME_STATUS_REF, POST_HEADERS_SCHEMA } from './frame-schemas.ts';

/** Form of a model with the files that it names, or of a single file. */
const FORM_SCHEMA = {
  type: 'object',
  properties: {
    model: {
      ...FILE_SCHEMA,
      description: 'A .gltf, .glb, .trace, .msgpack or .json file',
    },
    files: {
      type: 'array',
      items: FILE_SCHEMA,
      default: [],
      description: 'Buffers and images that a .gltf names',
    },
  },
};

/**
 * Bodies that carry a model, a capture or a native frame. Bodies are checked when they are read.
 */
export const FRAME_BODY: {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
} = {
  content: {
    ...Object.fromEntries(Object.keys(BODY_KINDS).map((type) => [type, { schema: FILE_SCHEMA }])),
    [MULTIPART_MEDIA_TYPE]: { schema: FORM_SCHEMA },
  },
};

const QUERY_SCHEMA = Type.Object(
  { ...FRAME_QUERY_SCHEMA.properties, ...LABEL_QUERY },
  { additionalProperties: false },
);
/** Valid query of `POST /v1/frames`. */
export type PostQuery = Static<typeof QUERY_SCHEMA>;

/** Schema of `POST /v1/frames`. */
export const POST_FRAME_SCHEMA = {
  operationId: 'postFrame',
  summary: 'Render a model, a frame of an OpenGL capture, or a native frame',
  description:
    'The body is one of the following:\n\n' +
    '- A glTF 2.0 model: a .glb, a .gltf whose files are data URIs, or a multipart form of a .gltf and the files ' +
    'it names. Field names are ignored; file names are the URIs.\n' +
    '- An apitrace capture of an OpenGL program. One of its frames is rendered at the size of its window.\n' +
    '- A native frame as MessagePack or JSON (docs/frame-format.md). It may name resources that were uploaded ' +
    'before; a 409 lists those that are missing.\n\n' +
    'Captures and native frames may also be sent in a form, which gives them a file name.\n\n' +
    'With `Prefer: wait=N` the request waits up to N seconds for the frame. The answer is then the PNG if ' +
    '`Accept` prefers `image/png`, otherwise the report. Without the header, or if the frame takes longer, the answer is ' +
    '202 with the address of the frame.\n\n' +
    'The body is checked before the frame is admitted. An invalid body is answered with 4xx, and the message ' +
    'names the place or call. An admitted frame is on disk and is rendered even if the service is killed and restarted. ' +
    'Requests with the same `Idempotency-Key` create one frame.',
  tags: ['frames'],
  headers: POST_HEADERS_SCHEMA,
  documentedBody: FRAME_BODY,
  querystring: QUERY_SCHEMA,
  response: {
    200: {
      description: 'Image or report of the frame, which finished within the wait',
      content: { ...binaryContent(PNG_TYPE), [JSON_TYPE]: { schema: REPORT_REF } },
    },
    202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: FRAME_STATUS_REF } } },
    ...problems(400, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504, 507),
  },
};
