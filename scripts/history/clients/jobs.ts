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

/**
 * Makes all jobs.
 *
 * @param isCluster Whether the jobs are for gateways, which refuse no body before a cell has read
 *   it.
 */
export async function makeJobs(isCluster: boolean): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const body of await makeBodies()) {
    if (isCluster && body.resources !== undefined) continue;
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
