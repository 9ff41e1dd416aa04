/** Times of requests, a metric of coordinators and gateways. */
import { Histogram, type Registry } from 'prom-client';

/** Upper bounds of the buckets of times, in seconds. */
export const STEP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Returns the histogram of the times of requests. */
export function makeRequestSeconds(registry: Registry) {
  return new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['method', 'route', 'status'],
    buckets: STEP_SECONDS,
    registers: [registry],
  });
}
