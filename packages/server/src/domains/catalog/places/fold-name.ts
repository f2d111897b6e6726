/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ı: 'i', ħ: 'h' } // prettier-ignore

const ligature = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu')

/** A name as it is compared: in lower case, without accents, with one space between words and no other punctuation. */
export const foldPlaceName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    // Marks of Latin, Greek and Cyrillic letters; those of other scripts are vowels.
    .replaceAll(/[\u0300-\u036F]/gu, '')
    .replaceAll(ligature, (letter) => letters[letter]!)
    .replaceAll(/['’ʻʼ`´.]/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
