/** Random client of the simulated service: uses every route, and tells the ledger what it saw. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { sha256Of } from '../../history/clients/bodies.ts';
import type { Exchange, RawAnswer, Request } from '../../history/clients/exchange.ts';
import { INPUTS, type Input, REFUSED, RESOURCES, resourceOf } from './inputs.ts';
import type { Job, JobKind, Ledger, ListedJob } from './ledger.ts';

const ORIGIN = 'http://127.0.0.1:8080';
const STREAM_MS = 3000;
const POLICIES = ['dynamic', 'static', 'dynamic-longest-first'] as const;
const TIMINGS = ['functional', 'functional', 'cycle'] as const;
const READING_ROUTES = [
  '/livez',
  '/readyz',
  '/metrics',
  '/v1/counters',
  '/v1/chiplets',
  '/v1/session',
  '/v1/quota',
  '/v1/specs',
  '/v1/specs/default',
  '/v1/specs/parameters',
  '/v1/frames?limit=3',
  '/v1/frames?status=done',
  '/v1/frames?search=red',
  '/v1/studies',
  '/v1/sequences?limit=2',
] as const;
const FRAME_PARTS = [
  'report',
  'timeline',
  'measurement',
  'image?bins=owner',
  'heatmap?metric=overdraw',
  'pixels/3/4',
  'draws',
  'shaders',
  'shaders/0',
] as const;
const SEQUENCE_PARTS = ['report', 'timeline', 'images'] as const;
const STUDY_PARTS = ['rows', 'series?figure=cycles', 'results.csv', 'results.parquet'] as const;
/** Parts of a report that depend on the machine and on when the frame was rendered. */
const VARYING = ['wall', 'trace'] as const;

/** Options of a post. */
interface Wanted {
  readonly input: Input;
  readonly query: string;
}

/** One client. */
export class RandomClient {
  readonly #exchange: Exchange;
  readonly #random: SeededRandom;
  readonly #ledger: Ledger;
  #keyCount = 0;
  readonly #name: string;

  constructor(name: string, exchange: Exchange, random: SeededRandom, ledger: Ledger) {
    this.#name = name;
    this.#exchange = exchange;
    this.#random = random;
    this.#ledger = ledger;
  }

  /** Does one thing. */
  async act(): Promise<void> {
    const random = this.#random;
    const frame = this.#pickJob('frames');
    const acts: readonly (readonly [number, () => Promise<unknown>])[] = [
      [14, () => this.postFrame(this.#wanted())],
      [
        2,
        () => this.#send('refused', this.#postCall({ input: random.pick(REFUSED), query: '' }, {})),
      ],
      [2, () => this.#cutPost()],
      [3, () => this.putResource(random.pick(RESOURCES))],
      [8, () => this.#get('read', random.pick(READING_ROUTES))],
      [6, () => this.list(random.pick(['frames', 'sequences', 'studies']))],
      [
        3,
        () =>
          this.#watch(
            random.next() < 0.5 || frame === null ? '/v1/events' : `/v1/frames/${frame.id}/events`,
          ),
      ],
      [2, () => this.#changeSpec()],
      [14, async () => frame && this.readJob(frame)],
      [6, async () => frame && this.readImage(frame)],
      [3, async () => frame && this.readPart(frame, random.pick(FRAME_PARTS))],
      [9, async () => frame && this.delete(frame, random.next() < 0.4 ? 2 : 1)],
      [4, async () => frame && this.#again(frame)],
      [2, async () => frame && this.#label(frame)],
      [3, () => this.#postSequence()],
      [2, () => this.#postStudy()],
      [4, () => this.#use('sequences', SEQUENCE_PARTS)],
      [4, () => this.#use('studies', STUDY_PARTS)],
    ];
    let at = random.next() * acts.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, run] of acts) {
      at -= weight;
      if (at < 0) {
        await run();
        return;
      }
    }
  }

  /** Posts a frame, perhaps twice with the same key. Returns the job if its post was answered. */
  async postFrame(wanted: Wanted): Promise<Job | null> {
    const random = this.#random;
    const resource = resourceOf(wanted.input);
    if (resource !== null && random.next() < 0.7) await this.putResource(resource);
    const key = random.next() < 0.5 ? `${this.#name}-${this.#keyCount++}` : null;
    const headers: Record<string, string> = {
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(random.next() < 0.3 ? { prefer: `wait=${random.integer(1, 20)}` } : {}),
    };
    const post = () =>
      this.#post('frames', this.#postCall(wanted, headers), contentOf(wanted), key);
    if (key === null || random.next() < 0.5) return post();
    const [first, second] =
      random.next() < 0.5 ? await Promise.all([post(), post()]) : [await post(), await post()];
    return first ?? second;
  }

  /** Posts one frame `count` times at once and returns how many were accepted. */
  async fillQueue(count: number): Promise<number> {
    const wanted = { input: INPUTS[0]!, query: '?chiplets=2' };
    const post = () => this.#post('frames', this.#postCall(wanted, {}), contentOf(wanted), null);
    const jobs = await Promise.all(Array.from({ length: count }, post));
    return jobs.filter((job) => job !== null).length;
  }

  async putResource(bytes: Buffer): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/v1/resources/${sha256Of(bytes)}`;
    await this.#send('put', { method: 'PUT', path, headers, body: bytes });
  }

  /** Reads the status of a job. */
  async readJob(job: Job): Promise<string | null> {
    const before = this.#ledger.before(job);
    const query = job.kind === 'studies' ? '?rows=false' : '';
    const answer = await this.#get(job.kind, `/v1/${job.kind}/${job.id}${query}`);
    if (answer?.status === 404) this.#ledger.noteMissing(job);
    if (answer?.status !== 200) return answer?.status === 404 ? 'gone' : null;
    const { status, error } = JSON.parse(answer.body.toString());
    this.#ledger.noteStatus(job, status, error?.code ?? null, before);
    return status;
  }

  /** Reads the image of a frame. */
  async readImage(frame: Job): Promise<boolean> {
    const answer = await this.#get('image', `/v1/frames/${frame.id}/image`);
    if (answer?.status !== 200) return false;
    this.#ledger.noteResult(frame, 'image', answer.body);
    return true;
  }

  /** Reads a result that is JSON or text, without what varies. */
  async readPart(job: Job, part: string): Promise<boolean> {
    const answer = await this.#get(
      `${job.kind} ${part.split('?')[0]}`,
      `/v1/${job.kind}/${job.id}/${part}`,
    );
    if (answer?.status !== 200) return false;
    if (part !== 'report') return true;
    const report = JSON.parse(answer.body.toString());
    for (const name of VARYING) delete report[name];
    this.#ledger.noteResult(job, part, JSON.stringify(report));
    return true;
  }

  /** Deletes a job, several times at once. */
  async delete(job: Job, times = 1): Promise<void> {
    const call = async () => {
      job.deletesSent++;
      const answer = await this.#send('delete', {
        method: 'DELETE',
        path: `/v1/${job.kind}/${job.id}`,
      });
      if (answer?.status === 204) job.isDeleted = true;
      // Only the first request may not find the job.
      if (answer?.status === 404 && job.deletesSent === 1) {
        this.#ledger.noteMissing({ ...job, deletesSent: 0 });
      }
    };
    await Promise.all(Array.from({ length: times }, call));
  }

  /** Reads all pages of a list and returns its ids, or null if a page is missing. */
  async list(kind: JobKind): Promise<string[] | null> {
    const listed: ListedJob[] = [];
    let path: string | null = `/v1/${kind}`;
    while (path !== null) {
      const answer: RawAnswer | null = await this.#get(`list ${kind}`, path);
      if (answer?.status !== 200) return null;
      const page = JSON.parse(answer.body.toString());
      listed.push(...page[kind]);
      path = page.next ?? null;
    }
    this.#ledger.noteList(kind, listed);
    return listed.map(({ id }) => id);
  }

  #wanted(): Wanted {
    const random = this.#random;
    const input = random.pick(INPUTS);
    const options = `chiplets=${random.integer(2, 4)}&policy=${random.pick(POLICIES)}`;
    const bins = random.pick([1, 4]);
    const exact = random.next() < 0.1 ? 'exact' : 'none';
    return {
      input,
      query: `?${options}&timing=${random.pick(TIMINGS)}&coupling=${exact}&bins=${bins}${input.query}`,
    };
  }

  #postCall({ input, query }: Wanted, headers: Readonly<Record<string, string>>): Request {
    return {
      method: 'POST',
      path: `/v1/frames${query}`,
      headers: { 'content-type': input.mediaType, ...headers },
      body: input.body,
    };
  }

  async #post(
    kind: JobKind,
    call: Request,
    content: string,
    key: string | null,
  ): Promise<Job | null> {
    this.#ledger.unknownPosts[kind]++;
    const answer = await this.#send(`post ${kind}`, call);
    if (answer === null) return null;
    const { location } = answer.headers;
    // A job that ended while the client waited is answered with its error and its address. An
    // error of the service may come after the job was accepted.
    if (location === undefined && answer.status < 500) this.#ledger.unknownPosts[kind]--;
    if (answer.status >= 300 || location === undefined) return null;
    this.#ledger.unknownPosts[kind]--;
    const id = location.split('/').at(-1)!;
    return this.#ledger.accept({
      kind,
      id,
      content: `${this.#ledger.setting} ${content}`,
      key,
      deletesSent: 0,
      isDeleted: false,
      final: null,
    });
  }

  async #cutPost(): Promise<void> {
    const call = this.#postCall(this.#wanted(), {});
    this.#ledger.unknownPosts.frames++;
    const bytes = call.body!.length;
    if (this.#random.next() < 0.5) {
      await this.#send('cut', { ...call, cutAfterBytes: this.#random.integer(0, bytes - 1) });
    } else await this.#send('dropped', { ...call, dropAfterMs: this.#random.next() * 30 });
  }

  async #again(frame: Job): Promise<void> {
    const chiplets = this.#random.integer(2, 4);
    const path = `/v1/frames/${frame.id}/again?chiplets=${chiplets}`;
    const content = frame.content
      .slice(this.#ledger.setting.length + 1)
      .replace(/chiplets=\d/, `chiplets=${chiplets}`);
    await this.#post('frames', { method: 'POST', path }, content, null);
  }

  async #label(frame: Job): Promise<void> {
    await this.#json('label', 'PATCH', `/v1/frames/${frame.id}`, {
      tags: [`t${this.#random.integer(0, 8)}`],
    });
  }

  async #changeSpec(): Promise<void> {
    const path = `/v1/specs/own-${this.#random.integer(0, 1)}`;
    if (this.#random.next() < 0.6) await this.#json('put spec', 'PUT', path, { preset: 'default' });
    else await this.#send('delete spec', { method: 'DELETE', path });
  }

  async #postSequence(): Promise<void> {
    const frames = this.#doneFrames(3);
    if (frames.length === 0) return;
    const body = { frames: frames.map(({ id }) => id) };
    await this.#postJson('sequences', '/v1/sequences?chiplets=2', body, frames);
  }

  async #postStudy(): Promise<void> {
    const frames = this.#doneFrames(1);
    if (frames.length === 0) return;
    const body = { frames: frames.map(({ id }) => id), chiplets: [1, 2], policies: ['dynamic'] };
    await this.#postJson('studies', '/v1/studies', body, frames);
  }

  #doneFrames(most: number): Job[] {
    const done = [...this.#ledger.jobs.values()].filter(
      ({ kind, final, deletesSent }) =>
        kind === 'frames' && final?.status === 'done' && deletesSent === 0,
    );
    if (done.length === 0) return [];
    return Array.from({ length: 1 + this.#random.integer(0, most - 1) }, () =>
      this.#random.pick(done),
    );
  }

  async #postJson(
    kind: JobKind,
    path: string,
    body: object,
    frames: readonly Job[],
  ): Promise<void> {
    const call = {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    } as const;
    await this.#post(kind, call, `${path} ${frames.map(({ content }) => content).join(' ')}`, null);
  }

  async #use(kind: JobKind, parts: readonly string[]): Promise<void> {
    const job = this.#pickJob(kind);
    if (job === null) return;
    if (this.#random.next() < 0.25) await this.delete(job, this.#random.next() < 0.4 ? 2 : 1);
    else if (this.#random.next() < 0.5) await this.readJob(job);
    else await this.readPart(job, this.#random.pick(parts));
  }

  /** Reads a stream of events for a while. Their numbers must grow. */
  async #watch(path: string): Promise<void> {
    let text = '';
    const withinMs = this.#random.next() * STREAM_MS;
    await this.#exchange.stream(ORIGIN, { method: 'GET', path }, withinMs, (part) => {
      text += part;
      return false;
    });
    const numbers = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    if (numbers.some((number, i) => i > 0 && number <= numbers[i - 1]!)) {
      this.#ledger.violate('the numbers of events grow', `${path}: ${numbers.join(' ')}`);
    }
  }

  #json(
    what: string,
    method: 'PUT' | 'PATCH',
    path: string,
    body: object,
  ): Promise<RawAnswer | null> {
    const headers = { 'content-type': 'application/json' };
    return this.#send(what, {
      method,
      path,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    });
  }

  #get(what: string, path: string): Promise<RawAnswer | null> {
    return this.#send(what, { method: 'GET', path });
  }

  async #send(what: string, call: Request): Promise<RawAnswer | null> {
    const answer = await this.#exchange.send(ORIGIN, call);
    if (answer !== null) this.#ledger.noteAnswer(what, answer.status, answer.body);
    return answer;
  }

  #pickJob(kind: JobKind): Job | null {
    const jobs = [...this.#ledger.jobs.values()].filter((job) => job.kind === kind);
    return jobs.length === 0 ? null : this.#random.pick(jobs.slice(-12));
  }
}

function contentOf({ input, query }: Wanted): string {
  return `${input.name} ${query}`;
}
