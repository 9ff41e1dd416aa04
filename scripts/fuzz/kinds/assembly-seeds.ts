/** Undamaged assembly programs, which together use the whole language, and its words. */
import {
  INSTRUCTIONS,
  INSTRUCTIONS_OF_STAGE,
} from '../../../packages/gl/src/assembly/instructions.ts';
import { splitWords } from '../mutate/mutate-words.ts';

const DECLARATIONS = `TEMP d, e; # temporaries
ATTRIB at = COLOR; ALIAS other = d;
PARAM one = 1; PARAM list[4] = { {1, -2.5}, program.env[0..1], state.fog.color };
PARAM rows[] = { program.local[1..3] }; PARAM mvp[4] = { state.matrix.mvp };
PARAM row = state.matrix.texture[1].invtrans.row[0..2];
`;

const VERTEX_PROGRAM = `!!ARBvp1.0
OPTION ARB_position_invariant;
${DECLARATIONS.replace('COLOR', 'vertex.texcoord[1]')}
ADDRESS a0; OUTPUT uv = result.texcoord[2];
ARL a0.x, vertex.attrib[3].x;
MOV d, list[a0.x + 1]; ADD e.xy, -rows[a0.x - 1], list[2].wzyx; SUB uv, d, { 1, 2, 3 };
SWZ d, at, 1, -z, 0, w; DP4 result.color.back.secondary.x, mvp[0], vertex.position;
MOV result.pointsize.x, row; MOV result.fogcoord, -state.light[0].half.x;
EXP d, e.x; LOG e, d.y; POW other.w, d.x, one.x;
END`;

const FRAGMENT_PROGRAM = `!!ARBfp1.0
OPTION ARB_fog_exp2; OPTION ARB_precision_hint_fastest; OPTION ARB_draw_buffers;
OPTION ARB_fragment_coord_pixel_center_integer;
${DECLARATIONS.replace('COLOR', 'fragment.texcoord')}
TEX d, fragment.texcoord[0], texture[0], 2D; TXP e, at, texture[1], CUBE; TXB d, at, texture[2], 1D;
TXB d, at, texture[3], RECT; TEX d, at, texture[4], SHADOW2D; TXP d, at, texture, 2D;
KIL -d; CMP d, -fragment.position, e, one; LRP_SAT d.xyz, e, d, 0.5; SCS d.xy, e.x;
MOV result.color[1], d; MOV result.color, fragment.color.secondary; MOV result.depth.z, d;
END`;

/** Returns a program with an instruction. */
function withInstruction(name: string): string {
  const { sources } = INSTRUCTIONS.get(name)!;
  const operands = sources.map((kind) => (kind === 'scalar' ? '{2}.x' : 'program.env[0]'));
  const isOfFragment = (INSTRUCTIONS_OF_STAGE.fragment as readonly string[]).includes(name);
  const body = `TEMP d; ${name} d, ${operands.join(', ')};`;
  return isOfFragment
    ? `!!ARBfp1.0\n${body} MOV result.color, d;\nEND`
    : `!!ARBvp1.0\n${body} MOV result.position, d;\nEND`;
}

/** All programs. */
export const ASSEMBLY_SEEDS: readonly string[] = [
  VERTEX_PROGRAM,
  FRAGMENT_PROGRAM,
  ...[...INSTRUCTIONS.keys()].map(withInstruction),
];

const WORDS =
  'OPTION PARAM TEMP ATTRIB OUTPUT ADDRESS ALIAS ARL SWZ TEX TXP TXB KIL _SAT END .. $ 0..9 4096 99999999 1e400 -1 ' +
  'vertex fragment result program env local state matrix modelview projection mvp texture inverse transpose invtrans ' +
  'row material front back ambient diffuse specular emission shininess light attenuation spot direction half ' +
  'lightmodel scenecolor lightprod texgen eye object texenv fog params clip plane point size depth range ' +
  'position normal color primary secondary fogcoord texcoord attrib pointsize 1D 2D 3D CUBE RECT SHADOW1D SHADOWRECT ' +
  'ARB_fog_linear ARB_fog_exp ATI_draw_buffers ARB_matrix_palette constructor __proto__ toString xyzw rgba x wx';

/** Words that replace others. */
export const ASSEMBLY_WORDS: readonly string[] = [
  ...new Set([...WORDS.split(' '), ...INSTRUCTIONS.keys(), ...ASSEMBLY_SEEDS.flatMap(splitWords)]),
];
