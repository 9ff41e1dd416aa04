import { describe, expect, it } from 'vitest';
import { escapeControls, escapeControlsInLines } from './escape-controls.ts';

describe('text of others', () => {
  it.each([
    ['plain text with umlauts ä, 漢字, 🎨', 'plain text with umlauts ä, 漢字, 🎨'],
    ['\u001b]0;owned\u0007\u001b[2J', '\\u{1b}]0;owned\\u{7}\\u{1b}[2J'],
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u009b31m', '\\u{9b}31m'],
    ['\u007f', '\\u{7f}'],
    ['user\u202egpj.exe', 'user\\u{202e}gpj.exe'],
    ['\u2066\u2069\u200f\u061c\u2028', '\\u{2066}\\u{2069}\\u{200f}\\u{61c}\\u{2028}'],
  ])('is shown with its control characters escaped: %j', (text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });

  it('keeps its lines where it may have some', () => {
    expect(escapeControlsInLines('a\u001b\nb\r')).toBe('a\\u{1b}\nb\\r');
  });

  it('holds no control character afterwards, whatever it was', () => {
    const control = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
    const codes = Array.from({ length: 0x10000 }, (_, code) => code);
    expect(codes.filter((code) => control.test(escapeControls(String.fromCharCode(code))))).toEqual(
      [],
    );
  });
});
