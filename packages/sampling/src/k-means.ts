/**
 * Clusters of vectors. Centers start as in k-means++ (Arthur and Vassilvitskii, SODA 2007) and move
 * by Lloyd's algorithm. The Bayesian information criterion of Pelleg and Moore ("X-means", ICML
 * 2000) chooses the number of clusters.
 */
import { makeRandom } from './random.ts';

/** Cluster of each vector, and the sum of squared distances to the centers. */
interface Clustering {
  readonly clusters: readonly number[];
  readonly squares: number;
}

/** Number of times that centers are chosen anew; the closest clustering counts. */
const RESTARTS = 4;
/** Upper bound on the steps of Lloyd's algorithm, which usually needs fewer. */
const MAX_STEPS = 60;
/**
 * Lower bound on the variance in a dimension. Vectors are relative to the mean frame, so frames
 * that differ by 0.01 % are equal.
 */
const MIN_VARIANCE = 1e-8;

/**
 * Returns the cluster of each vector, numbered from 0.
 *
 * @param vectors Vectors of one length, at least one. Their order decides ties.
 * @param maxClusters Upper bound on the number of clusters, at least 1.
 */
export function clusterVectors(
  vectors: readonly Float64Array[],
  maxClusters: number,
): readonly number[] {
  let best: readonly number[] = vectors.map(() => 0);
  let bestCriterion = Number.NEGATIVE_INFINITY;
  for (const count of listCounts(Math.min(maxClusters, vectors.length))) {
    let closest: Clustering | null = null;
    for (let restart = 0; restart < RESTARTS; restart++) {
      const found = moveCenters(vectors, chooseCenters(vectors, count, 1 + restart));
      if (closest === null || found.squares < closest.squares) closest = found;
    }
    const criterion = informationCriterion(vectors, closest!, count);
    if (criterion > bestCriterion) [best, bestCriterion] = [closest!.clusters, criterion];
  }
  return best;
}

/** Lists numbers of clusters, each about √2 times the last one. */
function listCounts(max: number): number[] {
  const counts = [max];
  for (let count = max; count > 1; ) {
    count = Math.floor(count * Math.SQRT1_2);
    counts.unshift(Math.max(1, count));
  }
  return counts;
}

/** Chooses centers among the vectors, each with a probability in proportion to its distance². */
function chooseCenters(
  vectors: readonly Float64Array[],
  count: number,
  seed: number,
): Float64Array[] {
  const random = makeRandom(seed);
  const centers = [vectors[Math.floor(random() * vectors.length)]!.slice()];
  const nearest = vectors.map((vector) => squaredDistance(vector, centers[0]!));
  while (centers.length < count) {
    const sum = nearest.reduce((total, each) => total + each, 0);
    let left = random() * sum;
    let chosen = nearest.findIndex((each) => {
      left -= each;
      return each > 0 && left < 0;
    });
    if (chosen < 0) chosen = nearest.indexOf(Math.max(...nearest));
    const center = vectors[chosen]!.slice();
    centers.push(center);
    for (const [i, vector] of vectors.entries()) {
      nearest[i] = Math.min(nearest[i]!, squaredDistance(vector, center));
    }
  }
  return centers;
}

/** Moves centers to the means of their vectors until no vector changes its cluster. */
function moveCenters(vectors: readonly Float64Array[], centers: Float64Array[]): Clustering {
  let clusters: number[] = [];
  let squares = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    squares = 0;
    const next = vectors.map((vector) => {
      let [nearest, least] = [0, Number.POSITIVE_INFINITY];
      for (const [i, center] of centers.entries()) {
        const distance = squaredDistance(vector, center);
        if (distance < least) [nearest, least] = [i, distance];
      }
      squares += least;
      return nearest;
    });
    if (next.every((cluster, i) => cluster === clusters[i])) break;
    clusters = next;
    for (const [i, center] of centers.entries()) {
      const members = vectors.filter((_, j) => clusters[j] === i);
      if (members.length === 0) continue; // The center keeps its place.
      for (let d = 0; d < center.length; d++) {
        center[d] = members.reduce((sum, member) => sum + member[d]!, 0) / members.length;
      }
    }
  }
  return { clusters, squares };
}

/**
 * Returns the Bayesian information criterion of clusters as spherical normal distributions of one
 * variance. Larger is better.
 */
function informationCriterion(
  vectors: readonly Float64Array[],
  { clusters, squares }: Clustering,
  count: number,
): number {
  const total = vectors.length;
  const dimensions = Math.max(1, countVarying(vectors));
  if (total <= count) return Number.NEGATIVE_INFINITY;
  const variance = Math.max(MIN_VARIANCE, squares / (dimensions * (total - count)));
  let likelihood =
    (-total * dimensions * Math.log(2 * Math.PI * variance)) / 2 - squares / (2 * variance);
  for (let i = 0; i < count; i++) {
    const size = clusters.filter((cluster) => cluster === i).length;
    if (size > 0) likelihood += size * Math.log(size / total);
  }
  return likelihood - (count * (dimensions + 1) * Math.log(total)) / 2;
}

function countVarying(vectors: readonly Float64Array[]): number {
  const [first] = vectors;
  return first!.filter((value, d) => vectors.some((vector) => vector[d] !== value)).length;
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d]! - b[d]!) ** 2;
  return sum;
}
