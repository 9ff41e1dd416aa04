/** Schema of the energy of a frame, the `EnergyReport` of packages/frame. */
import Type from 'typebox';

const picojoules = Type.Integer({ minimum: 0 });

const ENERGY = Type.Object(
  { lowPj: picojoules, typicalPj: picojoules, highPj: picojoules },
  { description: 'Range of an energy in picojoules' },
);
const BY_KIND = { dynamic: ENERGY, leakage: ENERGY, refresh: ENERGY, total: ENERGY };
const index = Type.Integer({ minimum: 0 });

/** Energy in a report; null without cycle timing. */
export const ENERGY_SCHEMA = Type.Union([
  Type.Object(
    {
      technology: Type.Object({
        nodeNm: Type.Number(),
        memory: Type.String({ description: 'Technology of local memory' }),
        linkClass: Type.String({ description: 'Class of links between chiplets' }),
        packageLinkClass: Type.String({ description: 'Class of links between packages' }),
      }),
      total: Type.Object(BY_KIND),
      averagePower: Type.Object(
        { lowMw: Type.Number(), typicalMw: Type.Number(), highMw: Type.Number() },
        { description: 'Total ÷ simulated time, in milliwatts' },
      ),
      units: Type.Array(Type.Object({ unit: Type.String(), ...BY_KIND }), {
        description: 'All instances of each unit; dram are the memory chips',
      }),
      chiplets: Type.Array(Type.Object({ id: index, ...BY_KIND })),
      passes: Type.Array(Type.Object({ dynamic: ENERGY })),
      bins: Type.Array(Type.Object({ passIndex: index, id: index, dynamic: ENERGY }), {
        description: 'Events that are counted by bin, in the order of the bins',
      }),
      notByPass: ENERGY,
      notByBin: ENERGY,
      link: Type.Object({
        dynamic: ENERGY,
        channels: Type.Array(
          Type.Object({ channel: Type.String(), linkClass: Type.String(), dynamic: ENERGY }),
        ),
      }),
    },
    {
      description:
        'Energy from counters and published figures (docs/energy.md); units and link, or chiplets and link, add up to the total',
    },
  ),
  Type.Null(),
]);
