import { describe, expect, it } from 'vitest';
import { compileStage } from '../compile-stage.ts';
import { decodeInstructions } from '../isa/instruction.ts';
import { VALID_SHADERS } from '../testing/valid-shaders.ts';
import { findInstructionPlaces, findLogSites } from './log-sites.ts';

describe('sites of instructions', () => {
  it.each(VALID_SHADERS.map((shader) => [shader.title, shader] as const))(
    'have as many instructions as their costs: %s',
    (_, { stage, source, restrictLoops = false }) => {
      const { isa } = compileStage(source, { stage, restrictLoops }).code!;
      const { sites, cost } = findLogSites(isa);
      const counts = new Map<number, number>();
      for (const { site } of findInstructionPlaces(isa))
        counts.set(site, (counts.get(site) ?? 0) + 1);
      expect(counts.get(-1) ?? 0).toBe(cost.instructions);
      for (const [number, { roundCost }] of sites.entries()) {
        expect(counts.get(number) ?? 0, `site ${number}`).toBe(roundCost.instructions);
      }
    },
  );

  it('are the innermost loop or skipped branch', () => {
    const source = `precision highp float;
      uniform sampler2D t;
      varying vec2 v;
      void main() {
        float sum = 0.0;
        for (int i = 0; i < 100; i++) {
          if (v.x > float(i)) sum += texture2D(t, v * float(i), 0.5).r;
        }
        gl_FragColor = vec4(sum);
      }`;
    const { isa } = compileStage(source, { stage: 'fragment' }).code!;
    const kinds = findLogSites(isa).sites.map(({ kind }) => kind);
    const siteOf = findInstructionPlaces(isa).map(({ site }) => site);
    const mnemonics = decodeInstructions(isa.code, isa.literals).map(({ mnemonic }) => mnemonic);
    const kindOf = (mnemonic: (typeof mnemonics)[number]) =>
      kinds[siteOf[mnemonics.indexOf(mnemonic)]!] ?? 'program';
    expect(kindOf('loop')).toBe('program');
    expect(kindOf('endloop')).toBe('loop');
    expect(kindOf('tex')).toBe('section');
    expect(kindOf('outf')).toBe('program');
  });
});
