/** Schemas and documentation of the sequence routes. */
import Type from 'typebox';
import { PREFER_HEADER } from '../frames/frame-schemas.ts';
import { FRAME_BODY } from '../frames/post-frame-schema.ts';
import { LABELS_SCHEMA } from '../protocol/labels.ts';
import {
  binaryContent,
  JSON_TYPE,
  problems,
  TIMELINE_SCHEMA,
  ZIP_TYPE,
} from '../protocol/response-schemas.ts';
import {
  SEQUENCE_PARAMS_SCHEMA,
  SEQUENCE_QUERY_SCHEMA,
  SEQUENCE_REPORT_SCHEMA,
  SEQUENCE_STATUS_SCHEMA,
} from './sequence-schemas.ts';

const RESULT_PROBLEMS = problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504, 507);

const { 'application/vnd.tessera.frame+msgpack': _native, ...MODEL_CONTENT } = FRAME_BODY.content;
/** Bodies of `POST /v1/sequences`: a model, a capture or ids of frames. */
const SEQUENCE_BODY = {
  content: {
    ...MODEL_CONTENT,
    [JSON_TYPE]: {
      schema: Type.Object({
        frames: Type.Array(Type.String(), { description: 'Ids of posted frames, in order' }),
      }),
    },
  },
};

/** Schema of `POST /v1/sequences`. */
export const POST_SEQUENCE_SCHEMA = {
  operationId: 'postSequence',
  summary: 'Render frames in order, or simulate rendered frames in order',
  description:
    'The body is one of the following: a model, which is rendered over a range of time; a capture, whose ' +
    'consecutive frames are rendered; or JSON, `{"frames": ["id", …]}`, with posted frames, which are not ' +
    'rendered again. Frames overlap in simulated time: chiplet 0 runs the visibility phase of the next frame while the ' +
    'others render bins. With `Prefer: wait=N` the request waits up to N seconds and is answered with the report. ' +
    'Otherwise the answer is 202 with the address of the sequence.',
  tags: ['sequences'],
  headers: Type.Object(PREFER_HEADER),
  documentedBody: SEQUENCE_BODY,
  querystring: SEQUENCE_QUERY_SCHEMA,
  response: {
    200: {
      description: 'Report of the sequence, which finished within the wait',
      content: { [JSON_TYPE]: { schema: SEQUENCE_REPORT_SCHEMA } },
    },
    202: {
      description: 'Admitted',
      content: { [JSON_TYPE]: { schema: SEQUENCE_STATUS_SCHEMA } },
    },
    ...problems(400, 404, 406, 410, 413, 415, 422, 429, 500, 503, 504, 507),
  },
};

/** Schema of `GET /v1/sequences/{id}/report`. */
export const SEQUENCE_REPORT_ROUTE_SCHEMA = {
  operationId: 'getSequenceReport',
  summary: 'Get the latency of each frame, the frame rate and the idle time that overlap removed',
  tags: ['sequences'],
  params: SEQUENCE_PARAMS_SCHEMA,
  response: {
    200: { description: 'Report', content: { [JSON_TYPE]: { schema: SEQUENCE_REPORT_SCHEMA } } },
    ...RESULT_PROBLEMS,
  },
};

/** Schema of `GET /v1/sequences/{id}/timeline`. */
export const SEQUENCE_TIMELINE_SCHEMA = {
  operationId: 'getSequenceTimeline',
  summary: 'Get phases, bins and transfers of all frames as a Chrome trace for Perfetto',
  tags: ['sequences'],
  params: SEQUENCE_PARAMS_SCHEMA,
  response: {
    200: {
      description: 'Chrome trace: a process per chiplet or link, 1 ns per cycle',
      content: { [JSON_TYPE]: { schema: TIMELINE_SCHEMA } },
    },
    ...RESULT_PROBLEMS,
  },
};

/** Schema of `GET /v1/sequences/{id}/images`. */
export const SEQUENCE_IMAGES_SCHEMA = {
  operationId: 'getSequenceImages',
  summary: 'Get the images of all frames and the report as a ZIP archive',
  tags: ['sequences'],
  params: SEQUENCE_PARAMS_SCHEMA,
  response: {
    200: {
      description: 'Archive of frame-0000.png, … and report.json',
      content: binaryContent(ZIP_TYPE),
    },
    ...RESULT_PROBLEMS,
  },
};

/** Schema of `PATCH /v1/sequences/{id}`. */
export const LABEL_SEQUENCE_SCHEMA = {
  operationId: 'labelSequence',
  summary: 'Change the name or tags of a sequence',
  description: 'Changes no result and no frame. Omitted fields keep their values.',
  tags: ['sequences'],
  params: SEQUENCE_PARAMS_SCHEMA,
  body: LABELS_SCHEMA,
  response: { 200: SEQUENCE_STATUS_SCHEMA, ...problems(400, 404, 406, 413, 415) },
};

/** Schema of `DELETE /v1/sequences/{id}`. */
export const DELETE_SEQUENCE_SCHEMA = {
  operationId: 'deleteSequence',
  summary: 'Cancel an unfinished sequence or delete a finished one; its frames are kept',
  tags: ['sequences'],
  params: SEQUENCE_PARAMS_SCHEMA,
  response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
};
