/** Call graph of a shader: recursion, calls of functions without a body, order of the functions. */
import type { CheckContext } from './check-context.ts';
import type { FunctionEntry } from './symbol-scope.ts';

/** Maximum depth of calls from `main`. Every level of calls is a level of inlining. */
const MAX_CALL_DEPTH = 256;

/**
 * Reports recursion and calls of functions without a body. Returns the functions that `main`
 * reaches, callees before callers, with `main` last; empty without `main`.
 */
export function checkCallGraph(context: CheckContext): FunctionEntry[] {
  const finished = new Set<FunctionEntry>();
  const path: FunctionEntry[] = [];
  const order: FunctionEntry[] = [];

  const visit = (entry: FunctionEntry): void => {
    if (path.length >= MAX_CALL_DEPTH) {
      context.log.abort(entry.symbol.position, entry.symbol.name, 'calls are nested too deeply');
    }
    path.push(entry);
    for (const [callee, position] of entry.callees) {
      const { name } = callee.symbol;
      if (path.includes(callee)) {
        context.error(position, name, 'recursive function call');
      } else if (!callee.isDefined) {
        context.error(position, name, 'function is called but has no body');
      } else if (!finished.has(callee)) {
        visit(callee);
      }
    }
    path.pop();
    finished.add(entry);
    order.push(entry);
  };

  const main = context.functions.find(
    (entry) => entry.symbol.name === 'main' && entry.parameterTypes.length === 0,
  );
  if (main?.isDefined) visit(main);
  const reached = [...order];
  for (const entry of context.functions) if (!finished.has(entry)) visit(entry);
  return reached;
}

/** Returns the definition of `main`, if there is one. */
export function findMain(context: CheckContext): FunctionEntry | undefined {
  return context.functions.find((entry) => entry.symbol.name === 'main' && entry.isDefined);
}
