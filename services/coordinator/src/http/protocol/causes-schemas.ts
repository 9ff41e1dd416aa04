/** Schema of the causes of a frame's time, the `CausesReport` of packages/frame. */
import { IDLE_REASONS, PATH_STEPS } from '@tessera/frame';
import Type from 'typebox';

const cycles = Type.Integer({ minimum: 0 });
const share = Type.Number({ minimum: 0, maximum: 1 });

/** Causes in a report; null without cycle timing. */
export const CAUSES_SCHEMA = Type.Union([
  Type.Object(
    {
      criticalPath: Type.Array(
        Type.Object({
          kind: Type.Enum([...PATH_STEPS]),
          chiplet: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'Chiplet that works; null for the link',
          }),
          cycles,
        }),
        { description: 'Steps, longest first; they add up to the cycles of the frame' },
      ),
      idle: Type.Array(
        Type.Object(Object.fromEntries(IDLE_REASONS.map((reason) => [reason, cycles]))),
        { description: 'Idle cycles of each chiplet by reason' },
      ),
      bounds: Type.Array(
        Type.Object({
          resources: Type.Array(Type.String(), {
            description: 'Units that bound the frame together, or the link',
          }),
          share: Type.Number({
            ...share,
            description: 'Part of the critical path in which they are the busiest',
          }),
          utilization: Type.Number({ ...share, description: 'Busy share of that part' }),
          factor: Type.Number({ description: 'Factor by which they would be faster, mostly 2' }),
          predictedCycles: Type.Integer({
            minimum: 0,
            description: 'Cycles of the frame if these, and those before, were so much faster',
          }),
          settings: Type.Union([Type.Record(Type.String(), Type.Number()), Type.Null()], {
            description: 'Parameters that make them faster; null if there are none',
          }),
        }),
        { description: 'Bounds of the frame: the first, and the one that it would have then' },
      ),
      explanation: Type.Array(Type.String(), { description: 'The causes in English' }),
    },
    { description: 'Causes of the time of the frame (docs/causes.md)' },
  ),
  Type.Null(),
]);
