/**
 * Jobs: what clients post. The results of a job are the same whenever it is posted and whatever
 * happens meanwhile, so one undisturbed rendering gives the reference of all others.
 */
import { type Body, makeBodies } from './bodies.ts';

/** Frame to post. */
export interface Job {
  /** Name by which the history knows the job. */
  readonly name: string;
  readonly body: Body;
  /** Query without the name and the tags. */
  readonly query: string;
  /** Whether the frame has a timeline. */
  readonly hasCycles: boolean;
  /** Whether the frame has a measurement, so that studies and estimates can use it. */
  readonly hasMeasurement: boolean;
}

/** Way of rendering a posted frame again. */
export interface Variant {
  readonly name: string;
  readonly query: string;
}

const TIMINGS = [
  { name: 'functional', query: 'timing=functional&coupling=none' },
  { name: 'cycles', query: 'timing=cycle&coupling=none' },
  { name: 'coupled', query: 'timing=cycle&coupling=exact' },
] as const;

/** Variants in which every job can be rendered again. */
export const VARIANTS: readonly Variant[] = [
  { name: 'one chiplet', query: 'chiplets=1' },
  { name: 'functional', query: 'timing=functional&coupling=none' },
  { name: 'static', query: 'policy=static&bins=9' },
];

const CHIPLETS = [1, 2, 4];
const POLICIES = ['dynamic', 'static', 'dynamic-longest-first'];

/** Makes all jobs of a service. */
export async function makeJobs(): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const body of await makeBodies()) {
    for (const [i, timing] of TIMINGS.entries()) {
      if (body.expectedError !== undefined && i > 0) continue;
      const chiplets = CHIPLETS[(jobs.length + i) % CHIPLETS.length];
      const policy = POLICIES[jobs.length % POLICIES.length];
      const own = `chiplets=${chiplets}&policy=${policy}&bins=4&${timing.query}`;
      jobs.push({
        name: `${body.name} ${timing.name}`,
        body,
        query: body.query === '' ? own : `${own}&${body.query}`,
        hasCycles: timing.name !== 'functional',
        hasMeasurement: timing.name !== 'coupled',
      });
    }
  }
  return jobs;
}

/** Widths of a model for a cluster, which renders each job once. The model itself has 48 pixels. */
const CLUSTER_WIDTHS_PX = Array.from({ length: 60 }, (_, i) => 50 + 2 * i);

/**
 * Makes the jobs of a cluster: many sizes of a model, because a cluster keeps each result, and the
 * jobs without resources, which a gateway does not store.
 */
export async function makeClusterJobs(): Promise<Job[]> {
  const jobs = (await makeJobs()).filter(({ body }) => body.resources === undefined);
  const model = jobs.find(({ name }) => name === 'glb cycles')!;
  const sized = CLUSTER_WIDTHS_PX.map((widthPx) => ({
    ...model,
    name: `${model.name} of width ${widthPx}`,
    query: model.query.replace('width=48', `width=${widthPx}`),
  }));
  return [...jobs, ...sized];
}

/** Jobs that sequences and studies use. */
const NEEDED = ['glb cycles', 'cube cycles'];

/** Returns at most `count` jobs, spread over all kinds of bodies, and those that others need. */
export function spreadJobs(jobs: readonly Job[], count: number): Job[] {
  if (count >= jobs.length) return [...jobs];
  const step = jobs.length / count;
  const spread = Array.from({ length: count }, (_, i) => jobs[Math.floor(i * step)]!);
  const needed = jobs.filter((job) => NEEDED.includes(job.name) && !spread.includes(job));
  return [...spread, ...needed];
}
