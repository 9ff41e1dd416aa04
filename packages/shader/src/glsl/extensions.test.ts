/** Rules of the extensions of GLSL ES 3.00, one shader per rule. */
import { describe, expect, it } from 'vitest';
import type { ShaderStage } from '../tree/checked-tree.ts';
import { checkShader } from './check-shader.ts';
import { checkLink } from './link/check-link.ts';

/** Returns the messages of a shader whose `main` has the given statements. */
function check(extension: string, stage: ShaderStage, globals: string, statements: string) {
  const directive = extension === '' ? '' : `#extension ${extension} : require\n`;
  const color = stage === 'fragment' ? 'out vec4 color;' : '';
  const source = `#version 300 es\n${directive}precision highp float; uniform highp int i; ${color}
${globals} void main() { ${statements} }`;
  const shader = checkShader(source, { stage, isWebGl: true });
  const errors = shader.diagnostics.filter(({ severity }) => severity === 'error');
  return { shader, messages: errors.map(({ message }) => message) };
}

interface Cases {
  readonly extension: string;
  readonly stage: ShaderStage;
  /** Globals and statements of valid shaders. */
  readonly valid: readonly (readonly [globals: string, statements: string])[];
  /** Globals and statements of invalid shaders, with a part of the message. */
  readonly invalid: readonly (readonly [globals: string, statements: string, message: string])[];
}

const CASES: readonly Cases[] = [
  {
    extension: 'GL_ANGLE_clip_cull_distance',
    stage: 'vertex',
    valid: [
      ['', 'gl_ClipDistance[7] = 1.0;'],
      ['', 'gl_ClipDistance[1] = gl_ClipDistance[0]; gl_CullDistance[5] = 1.0;'],
      ['out highp float gl_ClipDistance[2];', 'gl_ClipDistance[i] = 1.0;'],
      ['invariant out float gl_CullDistance[2];', 'gl_CullDistance = float[2](1.0, 2.0);'],
      ['out float gl_ClipDistance[2];', 'int n[gl_ClipDistance.length()];'],
      ['', 'int n[gl_MaxClipDistances + gl_MaxCullDistances];'],
      ['', 'int n[gl_MaxCombinedClipAndCullDistances == 8 ? 1 : -1];'],
    ],
    invalid: [
      ['', 'gl_ClipDistance[8] = 1.0;', 'index 8 is out of range'],
      ['', 'gl_ClipDistance[i] = 1.0;', 'must have a size before'],
      ['out float gl_CullDistance[9];', '', 'size is out of range'],
      ['out float gl_CullDistance[];', '', 'must have a size'],
      ['flat out float gl_CullDistance[2];', '', 'are reserved'],
      ['out vec4 gl_CullDistance[2];', '', 'are reserved'],
      ['float gl_CullDistance[2];', '', 'are reserved'],
      ['void f() { gl_ClipDistance[0]; } out float gl_ClipDistance[2];', '', 'before it is used'],
      ['out float gl_ClipDistance[2]; out float gl_ClipDistance[2];', '', 'and once'],
      [
        '',
        'gl_ClipDistance[4] = gl_CullDistance[3] = 1.0;',
        '9 clip and cull distances, at most 8',
      ],
    ],
  },
  {
    extension: 'GL_ANGLE_clip_cull_distance',
    stage: 'fragment',
    valid: [
      ['', 'color = vec4(gl_ClipDistance[3], gl_CullDistance[3], 0, 0);'],
      ['in float gl_ClipDistance[2];', 'color = vec4(gl_ClipDistance[i]);'],
    ],
    invalid: [
      ['', 'gl_ClipDistance[0] = 1.0;', 'read-only'],
      ['out float gl_ClipDistance[2];', '', 'are reserved'],
    ],
  },
  {
    extension: 'GL_ANGLE_multi_draw',
    stage: 'vertex',
    valid: [['', 'gl_Position = vec4(gl_DrawID);']],
    invalid: [['', 'gl_DrawID = 1;', 'read-only']],
  },
  {
    extension: 'GL_ANGLE_multi_draw',
    stage: 'fragment',
    valid: [['', 'color = vec4(1);']],
    invalid: [['', 'color = vec4(gl_DrawID);', 'undeclared']],
  },
  {
    extension: 'GL_EXT_conservative_depth',
    stage: 'fragment',
    valid: [
      ['layout(depth_greater) out float gl_FragDepth;', 'gl_FragDepth = 1.0;'],
      ['layout(depth_less) out mediump float gl_FragDepth;', ''],
      ['layout(depth_any) out float gl_FragDepth;', 'gl_FragDepth = 1.0;'],
      ['out float gl_FragDepth;', 'gl_FragDepth = 1.0;'],
    ],
    invalid: [
      ['layout(depth_unchanged) out float gl_FragDepth;', '', 'invalid layout qualifier'],
      ['layout(depth_less = 1) out float gl_FragDepth;', '', 'invalid layout qualifier'],
      ['layout(depth_less, depth_any) out float gl_FragDepth;', '', 'another layout'],
      ['layout(depth_less) out vec2 gl_FragDepth;', '', 'are reserved'],
      ['layout(depth_less) in float gl_FragDepth;', '', 'are reserved'],
      ['layout(location = 0, depth_less) out float gl_FragDepth;', '', 'are reserved'],
      ['layout(depth_less) in float x;', '', 'only gl_FragDepth'],
      ['layout(depth_less) uniform;', '', 'for a default'],
      ['layout(depth_less) uniform B { float f; };', '', 'invalid qualifier'],
      ['void f() { gl_FragDepth = 1.0; } out float gl_FragDepth;', '', 'before it is used'],
      ['out float gl_FragDepth; out float gl_FragDepth;', '', 'and once'],
    ],
  },
  {
    extension: 'GL_NV_shader_noperspective_interpolation',
    stage: 'vertex',
    valid: [
      ['noperspective out vec4 v;', ''],
      ['noperspective centroid out vec4 v;', ''],
      ['struct S { float f; mat2 m; }; noperspective out S v;', ''],
    ],
    invalid: [
      ['noperspective out ivec4 v;', '', 'must be flat'],
      ['noperspective in vec4 v;', '', 'for varyings only'],
      ['noperspective uniform vec4 v;', '', 'for varyings only'],
      ['flat noperspective out vec4 v;', '', 'cannot be combined'],
      ['', 'noperspective float x;', 'only allowed at global scope'],
      ['', 'float noperspective;', 'syntax error'],
    ],
  },
  {
    extension: 'GL_EXT_blend_func_extended',
    stage: 'fragment',
    valid: [['', 'int n[gl_MaxDualSourceDrawBuffersEXT == 1 ? 1 : -1];']],
    invalid: [
      ['layout(location = 0, index = 1) out vec4 c;', '', 'must have a location when'],
      ['layout(location = 0, index = 2) in vec4 c;', '', 'index must be 0 or 1'],
      ['layout(location = 0, index = x) out vec4 c;', '', 'syntax error'],
      ['layout(location = 0, index = 1.0) out vec4 c;', '', 'index must be an integer'],
      ['layout(location = 0, index) out vec4 c;', '', 'invalid layout qualifier'],
      ['layout(index = 1) out vec4 c;', '', 'with a location can have an index'],
      ['layout(index = 0) uniform B { vec4 v; };', '', 'invalid qualifier'],
      ['', 'gl_SecondaryFragColorEXT = vec4(1);', 'undeclared'],
    ],
  },
  {
    extension: 'GL_EXT_blend_func_extended',
    stage: 'vertex',
    valid: [['', 'gl_Position = vec4(gl_MaxDualSourceDrawBuffersEXT);']],
    invalid: [['layout(location = 0, index = 0) in vec4 c;', '', 'only fragment outputs with']],
  },
  {
    extension: 'GL_OES_sample_variables',
    stage: 'fragment',
    valid: [
      ['', 'color = vec4(gl_SampleID, gl_SamplePosition, gl_NumSamples);'],
      ['', 'gl_SampleMask[0] = gl_SampleMaskIn[0] & (1 << i);'],
      ['', 'gl_SampleMask[i] = gl_SampleMaskIn[i];'],
      ['', 'int n[gl_MaxSamples == 4 ? 1 : -1];'],
      ['', 'int n[gl_SampleMask.length() + gl_SampleMaskIn.length() - 1];'],
    ],
    invalid: [
      ['', 'gl_SampleID = 1;', 'read-only'],
      ['', 'gl_SamplePosition.x = 1.0;', 'read-only'],
      ['', 'gl_SampleMaskIn[0] = 1;', 'read-only'],
      ['', 'gl_NumSamples = 1;', 'read-only'],
      ['', 'gl_SampleMask[1] = 1;', 'index 1 is out of range'],
      ['', 'gl_SampleMask[0] = 1.0;', 'cannot convert'],
      ['', 'int n[gl_NumSamples];', 'constant'],
      ['int gl_SampleID;', '', 'reserved'],
      ['sample in vec4 v;', '', 'reserved word'],
    ],
  },
  {
    extension: 'GL_OES_sample_variables',
    stage: 'vertex',
    valid: [['', 'gl_Position = vec4(gl_NumSamples, gl_MaxSamples, 0, 1);']],
    invalid: [
      ['', 'gl_Position = vec4(gl_SampleID);', 'undeclared'],
      ['', 'gl_Position = gl_SamplePosition.xyxy;', 'undeclared'],
      ['', 'int n = gl_SampleMaskIn[0];', 'undeclared'],
      ['', 'gl_SampleMask[0] = 1;', 'undeclared'],
    ],
  },
  {
    extension: 'GL_OES_shader_multisample_interpolation',
    stage: 'fragment',
    valid: [
      ['in vec4 v;', 'color = interpolateAtCentroid(v);'],
      ['sample in vec4 v;', 'color = interpolateAtSample(v, i);'],
      ['sample in mediump vec2 v;', 'color.xy = interpolateAtOffset(v, vec2(i));'],
      ['centroid in vec3 v[2];', 'color.xyz = interpolateAtSample(v[i], 1);'],
      ['in vec4 v;', 'color = vec4(interpolateAtCentroid(v[i]));'],
      ['in mat2 v;', 'color.xy = interpolateAtCentroid(v[1]);'],
      ['flat in vec4 v;', 'color = interpolateAtCentroid(v);'],
      ['flat sample in ivec4 v;', 'color = vec4(v);'],
      ['struct S { float f; mat2 m; }; sample in S v;', 'color = vec4(v.m);'],
    ],
    invalid: [
      ['', 'color = interpolateAtCentroid(vec4(i));', 'must be a varying'],
      ['in vec4 v;', 'color = interpolateAtCentroid(v + v);', 'must be a varying'],
      ['in vec4 v;', 'color.x = interpolateAtSample(v.x, 1);', 'must be a varying'],
      ['', 'color = interpolateAtCentroid(gl_FragCoord);', 'must be a varying'],
      ['', 'color.xy = interpolateAtCentroid(gl_PointCoord);', 'must be a varying'],
      ['struct S { vec4 a; }; in S v;', 'interpolateAtCentroid(v.a);', 'must be a varying'],
      ['sample flat in ivec4 v;', '', 'invalid order'],
      ['', 'vec4 v; color = interpolateAtSample(v, 1);', 'must be a varying'],
      ['uniform vec4 v;', 'color = interpolateAtSample(v, 1);', 'must be a varying'],
      ['in vec4 v;', 'color = interpolateAtSample(v, 1.0);', 'no matching overloaded function'],
      ['in vec4 v;', 'color = interpolateAtOffset(v, 0.5);', 'no matching overloaded function'],
      ['flat in ivec2 v;', 'interpolateAtCentroid(v);', 'no matching overloaded function'],
      ['in mat2 v;', 'interpolateAtCentroid(v);', 'no matching overloaded function'],
      ['sample in ivec4 v;', '', 'must be flat'],
      ['sample uniform vec4 v;', '', 'for varyings only'],
      ['sample vec4 v;', '', 'for varyings only'],
      ['sample out vec4 v;', '', 'for varyings only'],
      ['sample centroid in vec4 v;', '', 'cannot be combined'],
      ['centroid sample in vec4 v;', '', 'cannot be combined'],
      ['sample uniform B { vec4 v; };', '', 'invalid qualifier'],
      ['uniform B { sample vec4 v; };', '', 'invalid qualifier'],
      ['', 'sample float x;', 'only allowed at global scope'],
      ['', 'float sample;', 'syntax error'],
      ['float f(sample float x) { return x; }', '', 'invalid qualifier'],
      ['sample float f() { return 1.0; }', '', 'no qualifiers allowed'],
      ['struct S { sample float f; };', '', 'not allowed in a struct'],
    ],
  },
  {
    extension: 'GL_OES_shader_multisample_interpolation',
    stage: 'vertex',
    valid: [['sample out vec4 v;', 'v = vec4(1);']],
    invalid: [
      ['sample in vec4 v;', '', 'for varyings only'],
      ['out vec4 v;', 'v = interpolateAtCentroid(v);', 'no function of this name'],
    ],
  },
  {
    extension: 'GL_OVR_multiview2',
    stage: 'vertex',
    valid: [
      ['layout(num_views = 4) in;', 'gl_Position = vec4(gl_ViewID_OVR);'],
      ['layout(num_views = 0x2u) in; layout(num_views = 2) in;', ''],
      ['', 'gl_Position = vec4(gl_ViewID_OVR);'],
      ['uniform mat4 m[2]; layout(num_views = 2) in;', 'gl_Position = m[gl_ViewID_OVR][0];'],
    ],
    invalid: [
      ['layout(num_views = 0) in;', '', 'num_views must be 1 to 4'],
      ['layout(num_views = 5) in;', '', 'num_views must be 1 to 4'],
      ['layout(num_views = 2.0) in;', '', 'num_views must be an integer'],
      ['layout(num_views = i) in;', '', 'syntax error'],
      ['layout(num_views) in;', '', 'invalid layout qualifier'],
      ['layout(num_views = 2) in; layout(num_views = 3) in;', '', 'differs from an earlier'],
      ['layout(num_views = 2, location = 0) in;', '', 'cannot be combined'],
      ['layout(num_views = 2) flat in;', '', 'invalid order'],
      ['flat layout(num_views = 2) in;', '', 'cannot be combined'],
      ['layout(num_views = 2) in vec4 a;', '', 'only an in without a variable'],
      ['layout(num_views = 2) vec4 a;', '', 'only an in without a variable'],
      ['layout(num_views = 2) out;', '', 'syntax error'],
      ['layout(num_views = 2) uniform;', '', 'invalid layout qualifier for a default'],
      ['layout(num_views = 2) uniform B { vec4 v; };', '', 'invalid qualifier'],
      ['uniform B { layout(num_views = 2) vec4 v; };', '', 'invalid qualifier'],
      ['layout(location = 0) in;', '', 'syntax error'],
      ['', 'layout(num_views = 2) in;', 'syntax error'],
      ['', 'gl_ViewID_OVR = 1u;', 'read-only'],
      ['', 'int view = gl_ViewID_OVR;', 'cannot convert'],
      ['uint gl_ViewID_OVR;', '', 'reserved'],
    ],
  },
  {
    extension: 'GL_OVR_multiview2',
    stage: 'fragment',
    valid: [['', 'color = vec4(gl_ViewID_OVR);']],
    invalid: [['layout(num_views = 2) in;', '', 'only vertex shaders have this layout']],
  },
];

describe.each(CASES)('$extension, $stage', ({ extension, stage, valid, invalid }) => {
  it.each(valid)('allows %s %s', (globals, statements) => {
    expect(check(extension, stage, globals, statements).messages).toEqual([]);
  });

  it.each(invalid)('refuses %s %s', (globals, statements, message) => {
    const { messages } = check(extension, stage, globals, statements);
    expect(messages[0]).toContain(message);
  });
});

describe('without the directive', () => {
  it.each([
    ['GL_ANGLE_clip_cull_distance', 'vertex', 'gl_ClipDistance[0] = 1.0;'],
    ['GL_ANGLE_clip_cull_distance', 'fragment', 'color = vec4(gl_CullDistance[0]);'],
    ['GL_ANGLE_clip_cull_distance', 'vertex', 'gl_MaxCullDistances;'],
    ['GL_ANGLE_multi_draw', 'vertex', 'gl_DrawID;'],
    ['GL_OES_sample_variables', 'fragment', 'gl_SampleMask[0] = gl_SampleID;'],
    ['GL_OES_sample_variables', 'vertex', 'gl_NumSamples;'],
    ['GL_OES_shader_multisample_interpolation', 'fragment', 'interpolateAtCentroid(color);'],
    ['GL_OVR_multiview2', 'vertex', 'gl_ViewID_OVR;'],
    ['GL_OVR_multiview2', 'fragment', 'gl_ViewID_OVR;'],
  ] as const)('of %s, a %s shader cannot use %s', (extension, stage, statements) => {
    expect(check('', stage, '', statements).messages[0]).toContain(`#extension ${extension}`);
  });

  it.each([
    ['out float gl_FragDepth;', 'are reserved'],
    ['layout(depth_less) out float gl_FragDepth;', 'needs #extension GL_EXT_conservative_depth'],
    ['noperspective in vec4 v;', 'reserved word'],
    ['sample in vec4 v;', 'reserved word'],
    ['layout(location = 0, index = 0) out vec4 v;', 'needs #extension GL_EXT_blend_func_extended'],
  ])('a fragment shader cannot declare %s', (globals, message) => {
    expect(check('', 'fragment', globals, '').messages[0]).toContain(message);
  });
});

describe.each([
  ['noperspective', 'GL_NV_shader_noperspective_interpolation'],
  ['sample', 'GL_OES_shader_multisample_interpolation'],
])('%s', (qualifier, extension) => {
  const link = (written: string, read: string): string[] => {
    const vertex = check(extension, 'vertex', `${written} out vec4 v;`, 'v = vec4(1);').shader;
    const fragment = check(extension, 'fragment', `${read} in vec4 v;`, 'color = v;').shader;
    return checkLink(vertex, fragment, { isWebGl: true }).map(({ message }) => message);
  };

  it('must be in both shaders', () => {
    expect(link(qualifier, qualifier)).toEqual([]);
    for (const [written, read] of [
      [qualifier, 'smooth'],
      ['', qualifier],
      [qualifier, 'flat'],
      ['centroid', qualifier],
    ] as const) {
      expect(link(written, read)[0]).toContain('interpolation of the varying differs');
    }
  });
});

it('the number of views needs the directive', () => {
  const { messages } = check('', 'vertex', 'layout(num_views = 2) in;', '');
  expect(messages[0]).toContain('needs #extension GL_OVR_multiview2');
});

describe('second colors', () => {
  const messagesOf = (source: string): string[] => {
    const { diagnostics } = checkShader(source, { stage: 'fragment', isWebGl: true });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return errors.map(({ message }) => message);
  };
  const outputs = (layouts: readonly string[]): string[] => {
    const declared = layouts.map((layout, i) => `layout(${layout}) out vec4 c${i};`).join(' ');
    return messagesOf(`#version 300 es
      #extension GL_EXT_blend_func_extended : require
      precision highp float; ${declared} void main() {}`);
  };
  const writing = (statements: string, extension = 'GL_EXT_blend_func_extended'): string[] =>
    messagesOf(`#extension ${extension} : require\nvoid main() { ${statements} }`);

  it('share the location of the first in GLSL ES 3.00', () => {
    expect(outputs(['location = 0', 'location = 0, index = 1'])).toEqual([]);
    expect(outputs(['location = 0, index = 1', 'index = 0, location = 0'])).toEqual([]);
    expect(outputs(['location = 0, index = 1'])).toEqual([]);
    const twice = outputs(['location = 0, index = 1', 'location = 0, index = 1']);
    expect(twice[0]).toContain("location 0 is already used by 'c0'");
    expect(outputs(['location = 1, index = 1'])[0]).toContain('location 1 is too large');
    const three = outputs(['location = 0', 'location = 0, index = 1', 'location = 1']);
    expect(three[0]).toContain('location 1 is too large');
  });

  it('are built-in variables in GLSL ES 1.00', () => {
    const [one, second] = ['gl_FragColor', 'gl_SecondaryFragColorEXT'].map(
      (name) => `${name} = vec4(1);`,
    );
    const [data, secondData] = ['gl_FragData', 'gl_SecondaryFragDataEXT'].map(
      (name) => `${name}[0] = vec4(1);`,
    );
    expect(writing(`${one} ${second}`)).toEqual([]);
    expect(writing(`${data} ${secondData}`)).toEqual([]);
    expect(writing(`${data} ${second}`)[0]).toContain('cannot be used together with gl_FragData');
    expect(writing(`${one} ${secondData}`)[0]).toContain('together with gl_SecondaryFragDataEXT');
    expect(writing(`${second} ${secondData}`)[0]).toContain('together with');
    expect(writing('gl_SecondaryFragDataEXT[1] = vec4(1);')[0]).toContain('out of range');
    expect(writing(second!, 'GL_OES_standard_derivatives')[0]).toContain(
      '#extension GL_EXT_blend_func_extended',
    );
  });
});

describe.each([
  ['GL_OES_sample_variables', 'gl_SampleID'],
  ['GL_OES_shader_multisample_interpolation', 'interpolateAtCentroid(v)'],
])('%s in GLSL ES 1.00', (extension, expression) => {
  it('does not exist', () => {
    const source = `#extension ${extension} : require
      varying mediump vec4 v;
      void main() { ${expression}; }`;
    const { diagnostics } = checkShader(source, { stage: 'fragment', isWebGl: true });
    const [first] = diagnostics.filter(({ severity }) => severity === 'error');
    expect(first!.message).toContain('extension is not supported');
  });
});

describe('distances of two shaders', () => {
  const link = (written: string, read: string): string[] => {
    const extension = 'GL_ANGLE_clip_cull_distance';
    const vertex = check(extension, 'vertex', '', written).shader;
    const fragment = check(extension, 'fragment', '', read).shader;
    return checkLink(vertex, fragment, { isWebGl: true }).map(({ message }) => message);
  };

  it('must be as many in both if the fragment shader uses them', () => {
    const one = 'gl_ClipDistance[0] = 1.0;';
    expect(link(one, 'color = vec4(gl_ClipDistance[0]);')).toEqual([]);
    expect(link(one, '')).toEqual([]);
    for (const read of ['gl_ClipDistance[1]', 'gl_CullDistance[0]']) {
      expect(link(one, `color = vec4(${read});`)[0]).toMatch(/^has \d elements in the vertex/);
    }
  });
});
