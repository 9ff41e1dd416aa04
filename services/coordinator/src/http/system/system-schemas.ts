/** Schemas of the routes about the service itself. */
import Type from 'typebox';

/** Connected chiplet. */
export const CHIPLET_SCHEMA = Type.Object({
  id: Type.Integer({ description: 'Number of the chiplet; 0 is the visibility chiplet' }),
  role: Type.Enum(['visibility', 'worker']),
  instance: Type.String(),
  isReady: Type.Boolean({ description: 'Whether the chiplet takes part in the next frame' }),
  mode: Type.Enum(['idle', 'visibility', 'coarse-bin-rendering']),
  current: Type.Union(
    [
      Type.Null(),
      Type.Object({
        frameId: Type.String({
          description: 'Name of the rendering, which starts with the id of the frame and a slash',
        }),
        passIndex: Type.Integer(),
        binId: Type.Union([Type.Null(), Type.Integer()]),
      }),
    ],
    { description: 'Work in progress; binId is null in a visibility phase' },
  ),
  pendingRequests: Type.Integer(),
  binsDone: Type.Integer({ description: 'Number of bins rendered since the chiplet connected' }),
  cyclesDone: Type.Number({
    description:
      'Cycles of phases and bins that it timed by itself since it connected, with coupling=none',
  }),
  faults: Type.Integer({
    description:
      'Number of wrong or unexpected answers, and of failed bins that other chiplets rendered; three suspend a worker',
  }),
  setAsideUntilMs: Type.Union([Type.Null(), Type.Number()], {
    description:
      'End of the suspension, in milliseconds since 1970; null if the chiplet is not suspended',
  }),
  isTrusted: Type.Boolean({
    description: 'Whether its bins are used without a second chiplet rendering each of them',
  }),
  agreedBins: Type.Integer({
    description:
      'Number of bins that another chiplet rendered with the same result, since the chiplet connected or was quarantined',
  }),
});

/** Counter in the catalog. */
export const COUNTER_SCHEMA = Type.Object({
  name: Type.String(),
  unit: Type.String({ description: 'Unit of one count' }),
  meaning: Type.String({ description: 'Event that increments the counter' }),
  chipletUnit: Type.String({ description: 'Unit of the chiplet that owns the counter' }),
});
