/**
 * `@fastify/ajv-compiler` that compiles each schema once for all starts of the coordinator. The
 * validators are the same functions.
 */
import AjvCompiler from '@fastify/ajv-compiler';

type Build = (externalSchemas: unknown, options: { customOptions: unknown }) => Compile;
type Compile = (route: { schema: unknown }) => unknown;

const makeBuild = AjvCompiler as unknown as (options?: object) => Build;
const buildByOptions = new Map<string, Build>();

function memoize(build: Build): Build {
  const compileByKey = new Map<string, Compile>();
  return (externalSchemas, options) => {
    const key = JSON.stringify([externalSchemas, options.customOptions]);
    let compile = compileByKey.get(key);
    if (compile === undefined) {
      compile = memoizeCompile(build(externalSchemas, options));
      compileByKey.set(key, compile);
    }
    return compile;
  };
}

function memoizeCompile(compile: Compile): Compile {
  const validatorBySchema = new Map<string, unknown>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    if (!validatorBySchema.has(key)) validatorBySchema.set(key, compile(route));
    return validatorBySchema.get(key);
  };
}

/** Substitute of the module's function. */
function makeCompiler(options?: object): Build {
  const key = JSON.stringify(options ?? {});
  let build = buildByOptions.get(key);
  if (build === undefined) {
    build = memoize(makeBuild(options));
    buildByOptions.set(key, build);
  }
  return build;
}

// For `require`.
export { makeCompiler as 'module.exports' };
