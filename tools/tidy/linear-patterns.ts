import { readRegexLiterals, type RegexLiteral } from './source-text.ts'

/** A text for which an expression takes more than linear time. */
export interface SlowPattern {
  readonly line: number
  readonly pattern: string
  /** The repeated part of the text. */
  readonly repeated: string
  readonly ms: number
}

/** Runs the work and returns its duration in milliseconds; injected by the tests. */
export type Stopwatch = (work: () => void) => number

/** Increasing lengths: an expression that is worse than quadratic shows before it runs for ever. */
const first_lengths = [24, 500, 2000]
const quarter_length = 4096
const whole_length = 16_384

/** Below this duration nothing is slow; above it, four times the length may take at most `max_growth` times as long. */
const slow_ms = 50
const max_growth = 8

/** The regular expressions of a file that take more than linear time for some text of 16 KB. */
export function findSlowPatterns(text: string, stopwatch: Stopwatch): SlowPattern[] {
  return readRegexLiterals(text).flatMap((pattern) => findSlowText(pattern, stopwatch) ?? [])
}

function findSlowText(pattern: RegexLiteral, stopwatch: Stopwatch): SlowPattern | null {
  const { source, flags, line } = pattern
  const expression = toGlobalPattern(source, flags)
  if (!expression) return null
  const literals = listLiterals(source)
  const characters = [...new Set(source.replaceAll(/\\[a-zA-Z]/g, ''))]
  const pieces = [...new Set([...characters, ...commonCharacters, ...literals])]
  const mixed = [...literals.flatMap((word) => [`${word} `, `${word}-`, `${word}.`]), '0.', 'a.', 'a ', 'a,']
  for (const start of ['', ...literals, ...characters]) {
    for (const repeated of start === '' ? [...pieces, ...mixed] : pieces) {
      const ms = measureSlowness(expression, start, repeated, stopwatch)
      if (ms !== null) return { line, pattern: `/${source}/${flags}`, repeated: `${start}${repeated}…`, ms }
    }
  }
  return null
}

/** Characters that usual character classes match, and some that they do not. */
const commonCharacters = [...' \n\ta0Z.-_/"\\:;,<&?%!é\u0000']

/** The expression with the global flag; null if it is not an expression but two divisions in one line. */
function toGlobalPattern(source: string, flags: string): RegExp | null {
  try {
    return new RegExp(source, `${flags.replace('g', '')}g`)
  } catch {
    return null
  }
}

/** The literal words in the expression. */
const listLiterals = (source: string): string[] => [
  ...new Set(
    source
      .replaceAll(/\\[a-zA-Z]/g, ' ')
      .replaceAll('\\', '')
      .match(/[A-Za-z_][A-Za-z_0-9+/:<!=-]+/g) ?? [],
  ),
]

function measureSlowness(expression: RegExp, start: string, repeated: string, stopwatch: Stopwatch): number | null {
  // The last character cannot match, which forces the engine to backtrack step by step.
  const ms = (length: number): number =>
    stopwatch(() => void `${start}${repeated.repeat(length / repeated.length)}\u0001`.replace(expression, ''))
  for (const length of first_lengths) {
    const took_ms = ms(length)
    if (took_ms > slow_ms && ms(length) > slow_ms) return took_ms
  }
  if (ms(whole_length) <= slow_ms) return null
  // The minimum of three runs: a busy machine makes a run longer, never shorter.
  const minTime = (length: number): number => Math.min(ms(length), ms(length), ms(length))
  const whole_ms = minTime(whole_length)
  return whole_ms > slow_ms && whole_ms > max_growth * minTime(quarter_length) ? whole_ms : null
}
