/** Studies of a cluster by their ids, and their rows in pages. */
import type { Batch, WorkEngine } from '@tessera/engine';
import { RenderError } from '@tessera/frame';
import { csvHeader, csvRows, type StudyRow } from '@tessera/study';
import type { FastifyRequest } from 'fastify';
import type { GatewayServices } from './gateway-services.ts';

/** Units whose rows are read from the engine at once. */
const PAGE_UNITS = 200;

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

  /** Yields the rows of each finished unit, in the order of the points. */
  async *rowsByUnit(id: string): AsyncGenerator<readonly StudyRow[], void> {
    for (let from = 0; ; ) {
      const page = await this.#services.withEngine((engine) => engine.rows(id, from, PAGE_UNITS));
      if (page.length === 0) return;
      for (const { rows } of page) yield rows as StudyRow[]; // A cell wrote them.
      from = page.at(-1)!.position + 1;
    }
  }

  /** Yields the CSV of a study. */
  async *csvOf(id: string, columns: Parameters<typeof csvHeader>[0]): AsyncGenerator<string, void> {
    yield csvHeader(columns);
    for await (const rows of this.rowsByUnit(id)) yield csvRows(rows, columns);
  }

  /** Yields the rows of each finished unit as JSON, separated by commas. */
  async *rowsJson(id: string): AsyncGenerator<string, void> {
    for await (const rows of this.rowsByUnit(id)) {
      if (rows.length > 0) yield JSON.stringify(rows).slice(1, -1);
    }
  }
}
