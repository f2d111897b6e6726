/**
 * The standard fonts of PDF have the letters of Windows code page 1252 and no others. Text is brought into them: signs
 * that only look different are exchanged, accents that the fonts lack are left away, and anything else is a visible `?`.
 */

/** ASCII, Latin-1 and what the code page has in between, without controls and without the soft hyphen. */
const known = /^[ -~¡-¬®-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u

const alike: Readonly<Record<string, string>> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  Ŧ: 'T',
  ŧ: 't',
  ı: 'i',
  ẞ: 'SS',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u2212': '-',
  '′': "'",
  '″': '"',
  '№': 'No.',
}

export interface Printable {
  readonly text: string
  /** True where letters were changed or lost, so that the reader should be told. */
  readonly lossy: boolean
}

/** One line of text in letters that the standard fonts have. Every white space is one plain space; controls are dropped. */
export function printable(written: string): Printable {
  let text = ''
  let lossy = false
  for (const letter of written.normalize('NFC').replaceAll(/[\s\p{Z}]+/gu, ' ')) {
    const shown = shownLetter(letter)
    text += shown
    lossy ||= shown !== letter && (shown === '?' || /[\p{L}\p{M}]/u.test(letter))
  }
  return { text: text.trim(), lossy }
}

function shownLetter(letter: string): string {
  if (known.test(letter)) return letter
  // Controls and invisible marks of direction or joining; accents without a letter; the colour of a face before them.
  if (/[\p{Cc}\p{Cf}\p{M}\p{Emoji_Modifier}]/u.test(letter)) return ''
  return alike[letter] ?? withoutAccents(letter) ?? '?'
}

/** Letters only, and the wide forms of ASCII: a raised digit without its height would be another number. */
function withoutAccents(letter: string): string | null {
  if (!/[\p{L}\uff01-\uff5e]/u.test(letter)) return null
  const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...plain].every((part) => known.test(part)) ? plain : null
}
