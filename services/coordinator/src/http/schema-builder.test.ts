import typebox from 'typebox';
import { describe, expect, it } from 'vitest';
import { Type } from './schema-builder.ts';

/** Every form that routes use, built by one of the two. */
function buildAll(type: typeof Type) {
  const name = type.String({ minLength: 1 });
  const optional = type.Optional(type.Enum(['a', 'b'], { default: 'a' }));
  return [
    type.Object({ name, optional, count: type.Integer({ minimum: 0 }) }, { $id: 'One' }),
    type.Object({ optional }, { additionalProperties: false }),
    type.Object({ required: { ...optional } as unknown as typeof name }),
    type.Array(type.Number(), { maxItems: 3 }),
    type.Union([type.Null({ description: 'none' }), type.Boolean()], { description: 'x' }),
    type.Union([type.Literal('a'), type.Literal(1), type.Literal(true)]),
    type.Record(type.String(), type.Unknown({ description: 'any' }), { description: 'by name' }),
    type.Optional(type.Unsafe({ $ref: 'One#' })),
  ];
}

describe('Type', () => {
  it('builds the schemas that TypeBox builds, their keys in the same order', () => {
    expect(JSON.stringify(buildAll(Type))).toBe(JSON.stringify(buildAll(typebox)));
  });
});
