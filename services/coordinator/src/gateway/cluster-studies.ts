/** Studies of a cluster by their ids, and their rows in pages. */
import type { Batch, WorkEngine } from '@tessera/engine';
import { RenderError } from '@tessera/frame';
import type { StudyRow } from '@tessera/study';
import type { FastifyRequest } from 'fastify';
import type { GatewayServices } from './gateway-services.ts';

/** Units whose rows are read from the engine at once. */
const PAGE_UNITS = 200;
/** Rows that are handled in one turn of the event loop, unless a unit has more. */
const LIST_ROWS = 64;

/** Studies of a cluster. */
export class ClusterStudies {
  readonly #services: Pick<GatewayServices, 'withEngine' | 'tenantOf'>;

  constructor(services: Pick<GatewayServices, 'withEngine' | 'tenantOf'>) {
    this.#services = services;
  }

  /**
   * Returns a study of the tenant of a request.
   *
   * @throws {RenderError} NOT_FOUND, also for studies of other tenants.
   */
  async require(request: FastifyRequest, id: string): Promise<Batch> {
    const batch = await this.#services.withEngine((engine: WorkEngine) => engine.batch(id));
    if (batch?.tenant === this.#services.tenantOf(request).name && batch.workClass === 'study')
      return batch;
    throw new RenderError('NOT_FOUND', `no study ${id}`);
  }

  /**
   * Yields the rows of finished units in lists of at least LIST_ROWS, in the order of the points.
   */
  async *rowsByUnit(id: string): AsyncGenerator<readonly StudyRow[], void> {
    for (let from = 0; ; ) {
      const page = await this.#services.withEngine((engine) => engine.rows(id, from, PAGE_UNITS));
      if (page.length === 0) return;
      let list: StudyRow[] = [];
      for (const { rows } of page) {
        list.push(...(rows as StudyRow[])); // A cell wrote them.
        if (list.length < LIST_ROWS) continue;
        yield list;
        list = [];
      }
      if (list.length > 0) yield list;
      from = page.at(-1)!.position + 1;
    }
  }

  /** Yields the rows of each finished unit as JSON, separated by commas. */
  async *rowsJson(id: string): AsyncGenerator<string, void> {
    for await (const rows of this.rowsByUnit(id)) {
      if (rows.length > 0) yield JSON.stringify(rows).slice(1, -1);
    }
  }
}
