/** A study of small frames for trials of clusters, at a gateway or at a service on one machine. */

/** Row of a study with its place in the sweep. */
export interface PlacedRow {
  /** Values of the axes. */
  readonly place: string;
  /** JSON of the row without the id of its frame, and without the commit, which images lack. */
  readonly text: string;
}

/**
 * Returns a sweep of `unitCount` renderings: sizes × bins × visibility shaders × specifications.
 */
export function sweepOf(unitCount: number) {
  const perSize = 100;
  if (unitCount % perSize !== 0) throw new RangeError(`units: ${unitCount} is no multiple of 100`);
  const sizeCount = unitCount / perSize;
  // At most 64 sizes of a study, so more units have more numbers of bins.
  const factor = Math.ceil(sizeCount / 64);
  return {
    title: `${unitCount} units`,
    chiplets: [1, 4],
    policies: ['static', 'dynamic'],
    sizes: Array.from({ length: sizeCount / factor }, (_, i) => `${24 + i}x${16 + (i % 7)}`),
    bins: Array.from({ length: 25 * factor }, (_, i) => i + 1),
    visibility: ['minimal', 'full'],
    specs: ['default', 'mobile-like'],
  };
}

/** Study that was posted. */
export class ClusterStudy {
  readonly unitCount: number;
  readonly #urlOf: () => string;
  readonly #id: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(
    urlOf: () => string,
    id: string,
    unitCount: number,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#headers = headers;
    this.#urlOf = urlOf;
    this.#id = id;
    this.unitCount = unitCount;
  }

  /** Posts a model and a study of it. */
  static async post(
    urlOf: () => string,
    model: Uint8Array,
    sweep: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ClusterStudy> {
    const frame = await fetch(`${urlOf()}/v1/frames?width=32&height=32&name=box`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=120', ...headers },
      body: new Uint8Array(model),
    });
    const id = frame.headers.get('Location')!.split('/').at(-1)!;
    const response = await fetch(`${urlOf()}/v1/studies`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ ...sweep, frames: [id] }),
    });
    const text = await response.text();
    if (response.status !== 202) throw new Error(text);
    const study = JSON.parse(text) as { id: string; progress: { total: number } };
    return new ClusterStudy(urlOf, study.id, study.progress.total, headers);
  }

  async isOver(): Promise<boolean> {
    return ((await this.#status())?.status ?? 'running') !== 'running';
  }

  /** Returns the number of finished units; 0 while the gateway is away. */
  async progress(): Promise<number> {
    return (await this.#status())?.progress.done ?? 0;
  }

  /** Returns the rows. */
  async rows(): Promise<PlacedRow[]> {
    const response = await fetch(`${this.#urlOf()}/v1/studies/${this.#id}`, {
      headers: this.#headers,
    });
    const { rows } = (await response.json()) as { rows: Record<string, unknown>[] };
    return rows.map((row) => ({
      place: [
        row.widthPx,
        row.heightPx,
        row.bins,
        row.visibility,
        row.spec,
        row.policy,
        row.chiplets,
      ].join(' '),
      text: JSON.stringify({ ...row, frame: '', commit: '' }),
    }));
  }

  /** Returns the status from the list of studies, which has no rows; null if there is no answer. */
  async #status(): Promise<{ status: string; progress: { done: number } } | null> {
    try {
      const response = await fetch(`${this.#urlOf()}/v1/studies`, { headers: this.#headers });
      const { studies } = (await response.json()) as {
        studies: { id: string; status: string; progress: { done: number } }[];
      };
      return studies.find(({ id }) => id === this.#id) ?? null;
    } catch {
      return null;
    }
  }
}
