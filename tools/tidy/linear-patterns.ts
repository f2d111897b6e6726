import { readPatterns, type Pattern } from './source-text.ts'

/** One text that an expression takes more than linear time for. */
export interface SlowText {
  readonly line: number
  readonly pattern: string
  /** As it is repeated. */
  readonly repeated: string
  readonly ms: number
}

/** Milliseconds of one run; a test hands over its own. */
export type Stopwatch = (work: () => void) => number

/** Longer and longer: what is worse than a square shows before it takes for ever. */
const first_lengths = [24, 500, 2000]
const quarter_length = 4096
const whole_length = 16_384

/** Below this many milliseconds nothing is slow; above it, four times the text may take at most so many times as long. */
const slow_ms = 50
const most_growth = 8

/** The regular expressions of a file that some text of 16 KB makes take more than linear time. */
export function findSlowPatterns(text: string, stopwatch: Stopwatch): SlowText[] {
  return readPatterns(text).flatMap((pattern) => slowTextOf(pattern, stopwatch) ?? [])
}

function slowTextOf(pattern: Pattern, stopwatch: Stopwatch): SlowText | null {
  const { source, flags, line } = pattern
  const expression = globalOf(source, flags)
  if (!expression) return null
  const words = wordsOf(source)
  const characters = [...new Set(source.replaceAll(/\\[a-zA-Z]/g, ''))]
  const pieces = [...new Set([...characters, ...usual, ...words])]
  const mixed = [...words.flatMap((word) => [`${word} `, `${word}-`, `${word}.`]), '0.', 'a.', 'a ', 'a,']
  for (const start of ['', ...words, ...characters]) {
    for (const repeated of start === '' ? [...pieces, ...mixed] : pieces) {
      const ms = slowness(expression, start, repeated, stopwatch)
      if (ms !== null) return { line, pattern: `/${source}/${flags}`, repeated: `${start}${repeated}…`, ms }
    }
  }
  return null
}

/** Characters that the classes of expressions mean, and some that they do not. */
const usual = [...' \n\ta0Z.-_/"\\:;,<&?%!é\u0000']

/** As it is when all that fits in a text is replaced; null for what was two divisions in a line. */
function globalOf(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, `${flags.replace('g', '')}g`)
  } catch {
    return null
  }
}

/** What the expression looks for by name. */
const wordsOf = (source: string): string[] => [
  ...new Set(
    source
      .replaceAll(/\\[a-zA-Z]/g, ' ')
      .replaceAll('\\', '')
      .match(/[A-Za-z_][A-Za-z_0-9+/:<!=-]+/g) ?? [],
  ),
]

function slowness(expression: RegExp, start: string, repeated: string, stopwatch: Stopwatch): number | null {
  // The end fits nothing that came before, so that what fitted is given back step by step.
  const ms = (length: number): number =>
    stopwatch(() => void `${start}${repeated.repeat(length / repeated.length)}\u0001`.replace(expression, ''))
  for (const length of first_lengths) {
    const took_ms = ms(length)
    if (took_ms > slow_ms && ms(length) > slow_ms) return took_ms
  }
  if (ms(whole_length) <= slow_ms) return null
  // The least of three: a busy machine makes a run longer, never shorter.
  const least = (length: number): number => Math.min(ms(length), ms(length), ms(length))
  const whole_ms = least(whole_length)
  return whole_ms > slow_ms && whole_ms > most_growth * least(quarter_length) ? whole_ms : null
}
