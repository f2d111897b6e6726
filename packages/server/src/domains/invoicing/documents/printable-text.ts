/**
 * The standard fonts of PDF support only Windows code page 1252. Text is converted to it: similar characters are replaced,
 * unsupported accents are dropped, and anything else becomes a visible `?`.
 */

/** ASCII, Latin-1 and the additional letters of the code page, without control characters and the soft hyphen. */
const supportedLetter = /^[ -~¡-¬®-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u

const replacements: Readonly<Record<string, string>> = {
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

export interface PrintableText {
  readonly text: string
  /** True if letters were changed or lost, so that the document gets a note. */
  readonly lossy: boolean
}

/** Converts to one line of supported letters. White space becomes single spaces; control characters are dropped. */
export function toPrintableText(source: string): PrintableText {
  let text = ''
  let lossy = false
  for (const letter of source.normalize('NFC').replaceAll(/[\s\p{Z}]+/gu, ' ')) {
    const replaced = replaceLetter(letter)
    text += replaced
    lossy ||= replaced !== letter && (replaced === '?' || /[\p{L}\p{M}]/u.test(letter))
  }
  // Spaces may have met where letters between them were dropped.
  return { text: text.replaceAll(/ {2,}/g, ' ').trim(), lossy }
}

function replaceLetter(letter: string): string {
  if (supportedLetter.test(letter)) return letter
  // Control and format characters, combining marks without a letter, emoji modifiers.
  if (/[\p{Cc}\p{Cf}\p{M}\p{Emoji_Modifier}]/u.test(letter)) return ''
  return replacements[letter] ?? removeAccents(letter) ?? '?'
}

/** Only letters and fullwidth ASCII: a superscript digit converted to a plain one would be a different number. */
function removeAccents(letter: string): string | null {
  if (!/[\p{L}\uff01-\uff5e]/u.test(letter)) return null
  const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return [...plain].every((part) => supportedLetter.test(part)) ? plain : null
}
