/** Handlers of the routes that list, read, plot and delete studies. */
import { RenderError } from '@tessera/frame';
import { csvPieces } from '@tessera/study';
import type { FastifyReply } from 'fastify';
import { plotStudy, type StudyPlotName } from '../../studies/study-plots.ts';
import type { StudyRunner } from '../../studies/study-runner.ts';
import type { StudyRecord, StudyStore } from '../../studies/study-store.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { CSV_TYPE, JSON_TYPE, SVG_TYPE } from '../protocol/response-schemas.ts';
import { jsonWithList, streamPieces } from '../protocol/stored-results.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { studyStatus } from './study-status.ts';

/** Services that the handlers of studies use. */
export interface StudyHandlerOptions {
  readonly studies: StudyStore;
  readonly runner: StudyRunner;
}

/** Length of the list of studies. */
const LISTED_STUDIES = 100;

type AnyRequest = Validated<object>;
type StudyRequest = Validated<{ params: { id: string } }>;

/** Handlers of the routes that list, read, plot and delete studies. */
export class StudyHandlers {
  readonly #options: StudyHandlerOptions;

  constructor(options: StudyHandlerOptions) {
    this.#options = options;
  }

  list(request: AnyRequest, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    return reply.type(JSON_TYPE).send(jsonWithList({}, 'studies', this.#listStatuses()));
  }

  get(request: StudyRequest, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const study = requireStudy(this.#options.studies, request.params.id);
    // Each point's rows are stored as a JSON list. Without brackets the lists join to one.
    const rows = this.#options.studies
      .rowsJson(study.id)
      .filter((json) => json !== '[]')
      .map((json) => json.slice(1, -1));
    return reply.type(JSON_TYPE).send(jsonWithList(studyStatus(study), 'rows', rows));
  }

  sendCsv(request: StudyRequest, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [CSV_TYPE]);
    const { studies } = this.#options;
    const { id, request: sweep } = requireStudy(studies, request.params.id);
    reply.header('Content-Disposition', `attachment; filename="study-${id}.csv"`);
    const requested = { swept: Object.keys(sweep.sweep), counters: sweep.counters };
    const pieces = csvPieces(studies.rowsByPoint(id), requested);
    return reply.type(`${CSV_TYPE}; charset=utf-8`).send(streamPieces(pieces));
  }

  async sendPlot(
    request: Validated<{ params: { id: string; plot: StudyPlotName } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    chooseMediaType(request.headers.accept, [SVG_TYPE]);
    const { studies } = this.#options;
    const { id, request: sweep } = requireStudy(studies, request.params.id);
    const plot = await plotStudy(request.params.plot, sweep, studies.rowsByPoint(id));
    if (plot === null) throw new RenderError('RESULT_NOT_READY', 'the study has no rows yet');
    return reply.type(SVG_TYPE).send(plot);
  }

  delete(request: StudyRequest, reply: FastifyReply): FastifyReply {
    const { studies, runner } = this.#options;
    const { id, status } = requireStudy(studies, request.params.id);
    if (status === 'running') runner.cancel(id);
    else studies.delete(id);
    return reply.code(204).send(null);
  }

  /** Yields the JSON of each status. Skips studies that are deleted while the list is sent. */
  *#listStatuses(): Generator<string, void> {
    const { studies } = this.#options;
    for (const id of studies.ids(LISTED_STUDIES)) {
      const study = studies.get(id);
      if (study !== undefined) yield JSON.stringify(studyStatus(study));
    }
  }
}

/**
 * Returns the study with an id.
 *
 * @throws {RenderError} NOT_FOUND.
 */
export function requireStudy(studies: StudyStore, id: string): StudyRecord {
  const study = studies.get(id);
  if (study === undefined) throw new RenderError('NOT_FOUND', `no study ${id}`);
  return study;
}
