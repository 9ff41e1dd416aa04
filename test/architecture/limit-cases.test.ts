/** `npm run limits` covers every route: a new route needs a case with its worst permitted input. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../packages/client/src/generated.ts';
import { ROUTE_CASES } from '../../scripts/limits/route-cases.ts';

describe('npm run limits', () => {
  it('has a case for every route of the OpenAPI document', () => {
    expect(Object.keys(ROUTE_CASES).sort()).toEqual(Object.keys(OPERATIONS).sort());
    for (const cases of Object.values(ROUTE_CASES)) expect(cases.length).toBeGreaterThan(0);
  });
});
