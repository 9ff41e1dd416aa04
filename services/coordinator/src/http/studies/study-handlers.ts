/** Handlers of the routes that list, read and delete studies. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { StudyRunner } from '../../studies/study-runner.ts';
import type { StudyRecord, StudyStore } from '../../studies/study-store.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { JSON_TYPE } from '../protocol/response-schemas.ts';
import { jsonWithList } from '../protocol/stored-results.ts';
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

/** Handlers of the routes that list, read and delete studies. */
export class StudyHandlers {
  readonly #options: StudyHandlerOptions;

  constructor(options: StudyHandlerOptions) {
    this.#options = options;
  }

  list(request: AnyRequest, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    return reply.type(JSON_TYPE).send(jsonWithList({}, 'studies', this.#listStatuses()));
  }

  get(
    request: Validated<{ params: { id: string }; query: { rows: boolean } }>,
    reply: FastifyReply,
  ): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const study = requireStudy(this.#options.studies, request.params.id);
    // Without brackets the lists join to one.
    const lists = request.query.rows ? this.#options.studies.rowsJson(study.id) : [];
    const rows = Iterator.from(lists).map((json) => json.slice(1, -1));
    return reply.type(JSON_TYPE).send(jsonWithList(studyStatus(study), 'rows', rows));
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
