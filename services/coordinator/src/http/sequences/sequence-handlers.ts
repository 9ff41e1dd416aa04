/** Handlers of the routes that list, read, name and delete sequences. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { Access } from '../../config/access.ts';
import type { SequenceRecord, Sequences } from '../../sequences/sequences.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import { type LabelsBody, readLabelChanges } from '../protocol/labels.ts';
import { chooseMediaType, nextPage } from '../protocol/negotiation.ts';
import { JSON_TYPE, ZIP_TYPE } from '../protocol/response-schemas.ts';
import { clientSignal, jsonWithList, sendFile } from '../protocol/stored-results.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { sendArchive } from './sequence-archive.ts';
import type { SequenceListQuery, SequenceStatusBody } from './sequence-schemas.ts';
import { requireReport, sequenceStatus } from './sequence-status.ts';

/** Services that the handlers of sequences use. */
export interface SequenceHandlerOptions {
  readonly sequences: Sequences;
  readonly blobs: BlobStore;
  readonly access: Access;
  readonly quotas: ClientQuotas;
}

type SequenceRequest = Validated<{ params: { id: string } }>;
type LabelRequest = Validated<{ params: { id: string }; body: LabelsBody }>;

/** Handlers of the routes that list, read and delete sequences. */
export class SequenceHandlers {
  readonly #options: SequenceHandlerOptions;

  constructor(options: SequenceHandlerOptions) {
    this.#options = options;
  }

  list(request: Validated<{ query: SequenceListQuery }>, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const { limit, cursor } = request.query;
    const page = this.#options.sequences.list({ limit, beforeNumber: cursor });
    const next = nextPage(request.url, page.nextBefore);
    const statuses = page.sequences
      .values()
      .map((record) => JSON.stringify(sequenceStatus(record)));
    return reply.type(JSON_TYPE).send(jsonWithList({ next }, 'sequences', statuses));
  }

  get(request: SequenceRequest): SequenceStatusBody {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    return sequenceStatus(this.#require(request));
  }

  label(request: LabelRequest, reply: FastifyReply): SequenceStatusBody {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const changes = readLabelChanges(request.body);
    reply.header('Cache-Control', 'no-cache');
    return sequenceStatus(this.#options.sequences.label(this.#require(request).id, changes)!);
  }

  sendReport(request: SequenceRequest, reply: FastifyReply): FastifyReply {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const report = requireReport(this.#require(request));
    return reply.type(JSON_TYPE).send(JSON.stringify(report));
  }

  async sendTimeline(request: SequenceRequest, reply: FastifyReply): Promise<FastifyReply> {
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const record = this.#require(request);
    requireReport(record);
    const { sequences, access, quotas } = this.#options;
    const client = clientOf(request, access);
    quotas.refuseSeconds(client, ['prepareSeconds']);
    const timeline = await sequences.openTimeline(record.id, clientSignal(reply), client);
    if (timeline === null) {
      throw new RenderError(
        'NOT_FOUND',
        'the sequence has no timeline because it was posted with timing=functional',
      );
    }
    return sendFile(reply, timeline.file, timeline.bytes, JSON_TYPE);
  }

  async sendArchive(request: SequenceRequest, reply: FastifyReply): Promise<FastifyReply> {
    chooseMediaType(request.headers.accept, [ZIP_TYPE]);
    const record = this.#require(request);
    const report = requireReport(record);
    const { sequences, blobs } = this.#options;
    return sendArchive(reply, record.id, await sequences.results(record), report, blobs);
  }

  delete(request: SequenceRequest, reply: FastifyReply): FastifyReply {
    this.#options.sequences.delete(this.#require(request).id);
    return reply.code(204).send(null);
  }

  /** @throws {RenderError} NOT_FOUND. */
  #require({ params: { id } }: SequenceRequest): SequenceRecord {
    const record = this.#options.sequences.get(id);
    if (record !== undefined) return record;
    throw new RenderError('NOT_FOUND', `no sequence ${id}; old finished sequences are deleted`);
  }
}
