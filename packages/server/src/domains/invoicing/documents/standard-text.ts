/** Letters of the standard fonts of PDF, which is Windows code page 1252 without control characters and the soft hyphen. */
const standardLetter = /^[ -~¡-¬®-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/u

/** Other ways to write what the code page has. */
const replacements: Readonly<Record<string, string>> = {
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u2212': '-',
  '′': "'",
  '″': '"',
  '№': 'No.',
}

/**
 * One line in letters of the standard fonts of PDF. White space becomes single spaces; control characters are dropped.
 *
 * @returns null if the text has other letters.
 */
export function toStandardText(source: string): string | null {
  let text = ''
  for (const letter of source.normalize('NFC').replaceAll(/[\s\p{Z}]+/gu, ' ')) {
    if (/[\p{Cc}\p{Cf}]/u.test(letter)) continue
    const standard = replacements[letter] ?? letter
    if (!standard.split('').every((part) => standardLetter.test(part))) return null
    text += standard
  }
  // Spaces may have met where characters between them were dropped.
  return text.replaceAll(/ {2,}/g, ' ').trim()
}
