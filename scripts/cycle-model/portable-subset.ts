/**
 * Checks that a file of the cycle model stays within the subset of TypeScript that AssemblyScript
 * compiles to the same results. Each fault names the line and the correct form, which the
 * compiler's own messages do not.
 */
import { parseSync, Visitor } from 'oxc-parser';

/** Ambient names that a file of the cycle model may use. */
const GLOBALS = new Set([
  'Error',
  'Float64Array',
  'Int32Array',
  'RangeError',
  'Uint16Array',
  'Uint8Array',
]);
/** Members of `Math` that return the same result in both languages. */
const MATH = new Set(['ceil', 'clz32', 'floor', 'imul']);

type Node = { readonly type: string; readonly start: number } & Record<string, unknown>;
type Check = (node: Node) => string | null;

const always =
  (message: string): Check =>
  () =>
    message;

/** Checks by type of syntax node. A check returns the fault of a node, or null. */
const CHECKS: Readonly<Record<string, Check>> = {
  ArrowFunctionExpression: always('closures: call a method or a function of the file'),
  ArrayPattern: always('destructuring: read each element'),
  ObjectPattern: always('destructuring: read each field'),
  SpreadElement: always('spread: copy in a loop'),
  RestElement: always('rest parameters: pass an array'),
  ForOfStatement: always('for … of: count with an i32'),
  ForInStatement: always('for … in: count with an i32'),
  ChainExpression: always('optional chaining: compare with null'),
  LogicalExpression: ({ operator }) => (operator === '??' ? '`??`: compare with null' : null),
  AwaitExpression: always('await: the chip runs to the end of its records'),
  YieldExpression: always('generators: keep the state in fields'),
  TryStatement: always('try: WebAssembly does not catch'),
  PrivateIdentifier: always('`#` fields: write `private`'),
  ImportExpression: always('dynamic imports'),
  TSAnyKeyword: always('any: give the type'),
  TSUnknownKeyword: always('unknown: give the type'),
  TSNumberKeyword: always('number: write i32 or f64'),
  TSBigIntKeyword: always('bigint: write f64'),
  TSUndefinedKeyword: always('undefined: use null'),
  TSEnumDeclaration: always('enum: write a table `{ … } as const`'),
  TSConditionalType: always('conditional types'),
  TSMappedType: always('mapped types'),
  TSTypeLiteral: always('object types: write a class'),
  TSFunctionType: always('function types: write a class with a method'),
  TSUnionType: ({ types }) =>
    (types as Node[]).length === 2 && (types as Node[]).some(({ type }) => type === 'TSNullKeyword')
      ? null
      : 'unions other than `| null`',
  Literal: ({ regex }) => (regex === undefined ? null : 'regular expressions: compare characters'),
  UnaryExpression: ({ operator }) =>
    operator === 'typeof' || operator === 'void' || operator === 'delete'
      ? `${operator}: types are known`
      : null,
  BinaryExpression: ({ operator }) =>
    operator === 'in' || operator === 'instanceof' || operator === '**'
      ? `${operator}: not portable`
      : null,
};

/**
 * Returns the faults of a file, each as `path:line: message`, sorted by line.
 *
 * @param path Name of the file in the messages.
 */
export function findPortabilityFaults(path: string, source: string): string[] {
  const { program } = parseSync(path, source);
  const faults: { readonly at: number; readonly message: string }[] = [];
  const literals = findTables(program as unknown as Node);
  const report = (node: Node, message: string | null) => {
    if (message !== null) faults.push({ at: node.start, message });
  };
  const visitor: Record<string, (node: Node) => void> = {
    ObjectExpression: (node) => {
      if (!literals.has(node.start))
        report(node, 'object literals: only as the options of a constructor');
    },
    NewExpression: (node) => {
      report(node, checkGlobal(node.callee as Node));
      allowOptions(node, literals);
    },
    CallExpression: (node) => {
      if ((node.callee as Node).type === 'Super') allowOptions(node, literals);
    },
    MemberExpression: (node) => report(node, checkMath(node)),
  };
  for (const [type, check] of Object.entries(CHECKS)) {
    visitor[type] = (node) => report(node, check(node));
  }
  new Visitor(visitor as ConstructorParameters<typeof Visitor>[0]).visit(program);
  return faults
    .sort((a, b) => a.at - b.at)
    .map(({ at, message }) => `${path}:${source.slice(0, at).split('\n').length}: ${message}`);
}

/**
 * Returns the starts of object literals in `export const NAME = { … } as const`, which become
 * namespaces.
 */
function findTables(program: Node): Set<number> {
  const starts = new Set<number>();
  for (const statement of program.body as Node[]) {
    const declaration = statement.declaration as Node | null | undefined;
    if (
      statement.type !== 'ExportNamedDeclaration' ||
      declaration?.type !== 'VariableDeclaration'
    ) {
      continue;
    }
    for (const { init } of declaration.declarations as { readonly init: Node | null }[]) {
      const literal = init?.type === 'TSAsExpression' ? (init.expression as Node) : null;
      if (literal?.type === 'ObjectExpression') starts.add(literal.start);
    }
  }
  return starts;
}

/** Adds the start of the object literal that is the only argument of a constructor's call. */
function allowOptions({ arguments: given }: Node, literals: Set<number>): void {
  const [options, ...others] = given as Node[];
  if (options?.type === 'ObjectExpression' && others.length === 0) literals.add(options.start);
}

/**
 * Returns the fault of a callee that is a global class of TypeScript only. Classes of the chip have
 * other names.
 */
function checkGlobal(callee: Node): string | null {
  const name = callee.name as string;
  if (!(name in globalThis) || GLOBALS.has(name)) return null;
  return `${name}: use ${[...GLOBALS].filter((each) => each.endsWith('Array')).join(', ')} or a class of the chip`;
}

function checkMath({ object, property }: Node): string | null {
  if ((object as Node).name !== 'Math') return null;
  const name = (property as Node).name as string;
  return MATH.has(name) ? null : `Math.${name}: see portable/integers.ts`;
}
