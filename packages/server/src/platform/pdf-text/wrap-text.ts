import { isolateRightToLeft } from './isolates.ts'
import { splitGraphemes } from './printable-characters.ts'

const words = new Intl.Segmenter('en', { granularity: 'word' })

const onlyOpening = /^[\p{Ps}\p{Pi}]+$/u
const onlyMarks = /^[\p{P}\p{S}]+$/u

/** Splits a text where a line may end: after words, also of scripts without spaces; marks stay with their word. */
function listPieces(text: string): string[] {
  const pieces: string[] = []
  let opening = ''
  for (const { segment } of words.segment(text)) {
    if (onlyOpening.test(segment)) opening += segment
    else if (opening === '' && onlyMarks.test(segment) && pieces.length > 0) pieces.push(pieces.pop()! + segment)
    else {
      pieces.push(opening + segment)
      opening = ''
    }
  }
  return opening === '' ? pieces : [...pieces, opening]
}

/**
 * Divides a text into at most `max_lines` lines. A word that is wider than a line is divided too. The last line has all that is
 * left, so it may be too wide. Lines of a text that begins from right to left keep that direction.
 */
export function wrapText(
  text: string,
  { width, max_lines, measure }: { width: number; max_lines: number; measure: (text: string) => number },
): string[] {
  if (measure(text) <= width) return [text]
  const lines: string[] = []
  let line = ''
  const pieces = listPieces(text)
  while (pieces.length > 0 && lines.length < max_lines - 1) {
    const piece = pieces.shift()!
    if (measure((line + piece).trimEnd()) <= width) line += piece
    else if (line.trim() !== '') {
      lines.push(line.trim())
      line = ''
      pieces.unshift(piece.trimStart())
    } else {
      const parts = splitGraphemes(piece)
      let count = parts.length
      while (count > 1 && measure(parts.slice(0, count).join('')) > width) count -= 1
      lines.push(parts.slice(0, count).join(''))
      pieces.unshift(parts.slice(count).join(''))
    }
  }
  const rest = (line + pieces.join('')).trim()
  const all = rest === '' ? lines : [...lines, rest]
  return beginsRightToLeft(text) ? all.map(isolateRightToLeft) : all
}

/** True if the first letter is of a script that is read from right to left. */
const beginsRightToLeft = (text: string): boolean => {
  const [letter] = /\p{L}/u.exec(text) ?? []
  return letter !== undefined && rightToLeftScripts.test(letter)
}

const rightToLeftScripts =
  /[\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Syriac}\p{Script=Thaana}]/u
