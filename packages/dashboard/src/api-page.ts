/** Page at /docs: Swagger UI over the OpenAPI document of this service. */
import { storedTheme } from './ui/theme.ts';

/** Function that the script of Swagger UI defines. */
declare const SwaggerUIBundle: {
  (options: Readonly<Record<string, unknown>>): unknown;
  readonly presets: { readonly apis: unknown };
};

const theme = storedTheme();
const isDark =
  theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
document.documentElement.classList.toggle('dark-mode', isDark);
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
SwaggerUIBundle({
  dom_id: '#interface',
  url: '/openapi.json',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  layout: 'BaseLayout',
  presets: [SwaggerUIBundle.presets.apis],
  requestInterceptor: withoutEmptyFields,
  validatorUrl: null,
});

/** Removes the text fields that Swagger UI sends in place of files that were not chosen. */
function withoutEmptyFields<T extends { readonly body?: unknown }>(request: T): T {
  const { body } = request;
  if (body instanceof FormData) {
    for (const [name, value] of [...body]) if (value === '') body.delete(name);
  }
  return request;
}
