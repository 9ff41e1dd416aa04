/** Color theme: light, dark or that of the system. The choice is stored. */

const THEMES = ['auto', 'light', 'dark'] as const;
const STORED_AS = 'tessera-theme';

/** Returns the stored choice. */
export function storedTheme(): (typeof THEMES)[number] {
  const stored = localStorage.getItem(STORED_AS);
  return THEMES.find((theme) => theme === stored) ?? 'auto';
}

/**
 * Applies the stored theme and follows the choice.
 *
 * @param select Select element with the options `auto`, `light` and `dark`.
 */
export function startTheme(select: HTMLSelectElement): void {
  select.value = storedTheme();
  const apply = () => {
    document.documentElement.dataset.theme = select.value;
  };
  select.addEventListener('change', () => {
    localStorage.setItem(STORED_AS, select.value);
    apply();
  });
  apply();
}
