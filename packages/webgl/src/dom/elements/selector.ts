/**
 * CSS selectors: names, `*`, `#id`, `.class`, `[attribute]` with `=`, `^=`, `$=`, `*=` and `~=`,
 * the combinators for descendants and children, and lists of alternatives.
 */
import type { Element } from './element.ts';

/** Test of one element, without its ancestors. */
type ElementTest = (element: Element) => boolean;

/** Compound selector, and its relation to the compound selector on its left. */
interface Step {
  readonly isChild: boolean;
  readonly tests: readonly ElementTest[];
}

const PART =
  /([a-z][\w-]*|\*)|#([\w-]+)|\.([\w-]+)|\[\s*([\w-]+)\s*(?:([~^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))\s*)?\]|(\s*>\s*|\s+)/iy;

/** Compiles a selector. @throws {DOMException} SyntaxError if it is not of the supported form. */
export function compileSelector(selector: string): ElementTest {
  const alternatives = selector.split(',').map((each) => parseSteps(each.trim(), selector));
  return (element) => alternatives.some((steps) => matchesSteps(element, steps, steps.length - 1));
}

function parseSteps(text: string, selector: string): readonly Step[] {
  const steps: { isChild: boolean; tests: ElementTest[] }[] = [{ isChild: false, tests: [] }];
  const pattern = new RegExp(PART);
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) throw unknownSelector(selector);
    const combinator = match[9];
    if (combinator === undefined) steps.at(-1)!.tests.push(makeTest(match));
    else steps.push({ isChild: combinator.includes('>'), tests: [] });
  }
  if (steps.some(({ tests }) => tests.length === 0)) throw unknownSelector(selector);
  return steps;
}

function makeTest(match: RegExpExecArray): ElementTest {
  const [, name, id, className, attribute, operator, double, single, bare] = match;
  if (name === '*') return () => true;
  if (name !== undefined) return ({ localName }) => localName === name.toLowerCase();
  if (id !== undefined) return (element) => element.id === id;
  if (className !== undefined) return ({ classList }) => classList.contains(className);
  const wanted = double ?? single ?? bare ?? '';
  return (element) => {
    const value = element.getAttribute(attribute!);
    return value !== null && matchesValue(value, operator, wanted);
  };
}

function matchesValue(value: string, operator: string | undefined, wanted: string): boolean {
  if (operator === undefined) return true;
  if (operator === '=') return value === wanted;
  if (wanted === '') return false;
  if (operator === '^=') return value.startsWith(wanted);
  if (operator === '$=') return value.endsWith(wanted);
  if (operator === '*=') return value.includes(wanted);
  return value.split(/\s+/).includes(wanted);
}

/** Whether the steps up to `last` match the element and ancestors of it. */
function matchesSteps(element: Element, steps: readonly Step[], last: number): boolean {
  const { isChild, tests } = steps[last]!;
  if (!tests.every((test) => test(element))) return false;
  if (last === 0) return true;
  for (let above = element.parentNode; above !== null; above = above.parentNode) {
    if (matchesSteps(above, steps, last - 1)) return true;
    if (isChild) return false;
  }
  return false;
}

function unknownSelector(selector: string): DOMException {
  return new DOMException(`'${selector}' is not a supported selector`, 'SyntaxError');
}
