/** Routes of the rows of studies in every form, of one machine and of a cluster. */
import { RenderError } from '@tessera/frame';
import {
  csvHeader,
  csvRows,
  type RequestedColumns,
  requestedColumns,
  type StudyRequest,
} from '@tessera/study';
import type { FastifyRequest } from 'fastify';
import { ParquetEncoder, type RowLists } from '../../studies/parquet-encoder.ts';
import { type PointRows, readRowPage } from '../../studies/row-page.ts';
import { plotStudy } from '../../studies/study-plots.ts';
import { collectSeries } from '../../studies/study-series.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import {
  binaryContent,
  CSV_TYPE,
  JSON_TYPE,
  PARQUET_TYPE,
  problems,
  SVG_TYPE,
  textContent,
} from '../protocol/response-schemas.ts';
import { streamPieces } from '../protocol/stored-results.ts';
import {
  ROW_PAGE_QUERY_SCHEMA,
  ROW_PAGE_REF,
  SERIES_QUERY_SCHEMA,
  SERIES_REF,
  STUDY_PLOT_PARAMS_SCHEMA,
} from './study-row-schemas.ts';
import { STUDY_PARAMS_SCHEMA } from './study-schemas.ts';

/** Rows of one study. */
export interface StudyData {
  readonly id: string;
  readonly request: StudyRequest;
  /** Reads the rows of finished points from one position to before another. */
  readonly readPoints: (first: number, end: number) => PointRows[] | Promise<PointRows[]>;
  /** Reads all rows so far, in the order of the points. */
  readonly rowLists: () => RowLists;
}

/** Returns the rows of a study that a client may read. Throws NOT_FOUND. */
export type FindStudy = (request: FastifyRequest, id: string) => StudyData | Promise<StudyData>;

/** Adds the routes. */
export function addStudyDataRoutes(app: App, find: FindStudy): void {
  addPartRoutes(app, find);
  addFileRoutes(app, find);
}

/** Adds the routes of pages and of lines, which are small whatever the size of the study. */
function addPartRoutes(app: App, find: FindStudy): void {
  app.get('/v1/studies/:id/rows', {
    schema: {
      operationId: 'listStudyRows',
      summary: 'Get a page of the rows of a study',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      querystring: ROW_PAGE_QUERY_SCHEMA,
      response: {
        200: { description: 'Page', content: { [JSON_TYPE]: { schema: ROW_PAGE_REF } } },
        ...problems(400, 404, 406),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { request: sweep, readPoints } = await find(request, request.params.id);
      const page = await readRowPage(sweep, request.query, readPoints);
      return reply.type(JSON_TYPE).send(JSON.stringify(page));
    },
  });

  app.get('/v1/studies/:id/series', {
    schema: {
      operationId: 'getStudySeries',
      summary: 'Get the lines of a plot of a study',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      querystring: SERIES_QUERY_SCHEMA,
      response: {
        200: { description: 'Lines', content: { [JSON_TYPE]: { schema: SERIES_REF } } },
        ...problems(400, 404, 406),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { request: sweep, rowLists } = await find(request, request.params.id);
      const series = await collectSeries(sweep, request.query, rowLists());
      return reply.type(JSON_TYPE).send(JSON.stringify(series));
    },
  });
}

/** Adds the routes of files that have all rows, and of plots. */
function addFileRoutes(app: App, find: FindStudy): void {
  const encoder = new ParquetEncoder();

  app.get('/v1/studies/:id/results.csv', {
    schema: {
      operationId: 'getStudyCsv',
      summary: 'Get the rows of a study so far as CSV',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 200: textContent(CSV_TYPE, 'Header and rows'), ...problems(404, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [CSV_TYPE]);
      const { id, request: sweep, rowLists } = await find(request, request.params.id);
      reply.header('Content-Disposition', `attachment; filename="study-${id}.csv"`);
      const pieces = csvOf(rowLists(), requestedColumns(sweep));
      return reply.type(`${CSV_TYPE}; charset=utf-8`).send(streamPieces(pieces));
    },
  });

  app.get('/v1/studies/:id/results.parquet', {
    schema: {
      operationId: 'getStudyParquet',
      summary: 'Get the rows of a study so far as Parquet',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: {
        200: { description: 'Columns of the CSV, typed', content: binaryContent(PARQUET_TYPE) },
        ...problems(404, 406),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [PARQUET_TYPE]);
      const { id, request: sweep, rowLists } = await find(request, request.params.id);
      reply.header('Content-Disposition', `attachment; filename="study-${id}.parquet"`);
      const { counters, energy } = sweep;
      const bytes = encoder.encode({ sweep: sweep.sweep, counters, energy }, rowLists());
      return reply.type(PARQUET_TYPE).send(streamPieces(bytes));
    },
  });

  app.get('/v1/studies/:id/plots/:plot', {
    schema: {
      operationId: 'getStudyPlot',
      summary: 'Plot a metric against the number of chiplets (SVG)',
      tags: ['studies'],
      params: STUDY_PLOT_PARAMS_SCHEMA,
      response: { 200: textContent(SVG_TYPE, 'Plot'), ...problems(400, 404, 406, 409) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [SVG_TYPE]);
      const { request: sweep, rowLists } = await find(request, request.params.id);
      const plot = await plotStudy(request.params.plot, sweep, rowLists());
      if (plot === null) throw new RenderError('RESULT_NOT_READY', 'the study has no rows yet');
      return reply.type(SVG_TYPE).send(plot);
    },
  });
}

async function* csvOf(lists: RowLists, columns: RequestedColumns): AsyncGenerator<string, void> {
  yield csvHeader(columns);
  for await (const rows of lists) yield csvRows(rows, columns);
}
