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
const root = document.querySelector('#interface')!;
new MutationObserver(() => correctMarkup(root)).observe(root, { childList: true, subtree: true });
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

/**
 * Corrects what Swagger UI has drawn: levels of headings, a part without a landmark, and links
 * inside of buttons. A click on such a button changes the address too.
 */
function correctMarkup(drawn: Element): void {
  for (const heading of drawn.querySelectorAll('h3, h4, h5')) {
    heading.setAttribute('role', 'heading');
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1));
  }
  const about = drawn.querySelector('.information-container');
  about?.setAttribute('role', 'region');
  about?.setAttribute('aria-label', 'About the interface');
  for (const link of drawn.querySelectorAll('button a[href]')) link.removeAttribute('href');
}

/** Removes the text fields that Swagger UI sends in place of files that were not chosen. */
function withoutEmptyFields<T extends { readonly body?: unknown }>(request: T): T {
  const { body } = request;
  if (body instanceof FormData) {
    for (const [name, value] of [...body]) if (value === '') body.delete(name);
  }
  return request;
}
