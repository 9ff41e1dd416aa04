/** `npm run history` uses every route: a new route needs an action in its table. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../packages/client/src/generated.ts';
import { ROUTE_ACTIONS } from '../../scripts/history/clients/routes.ts';

describe('npm run history', () => {
  it('has an action for every route of the OpenAPI document', () => {
    expect(Object.keys(ROUTE_ACTIONS).sort()).toEqual(Object.keys(OPERATIONS).sort());
    for (const { weight } of Object.values(ROUTE_ACTIONS)) expect(weight).toBeGreaterThan(0);
  });
});
