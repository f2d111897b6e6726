import { validationProblem, type Problem } from '../../engine/problem.ts'

/** A token of CQL2 text; `text` is as it was written. */
interface Cql2Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign' | 'end'
  readonly text: string
}

const tokenPatterns = [
  [/(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y, 'number'],
  [/'(?:[^'\\]|''|\\.)*'/sy, 'text'],
  [/"[^"]*"/y, 'quoted'],
  [/[\p{L}_:][\p{L}\p{M}\p{N}_:.]*/uy, 'name'],
  [/<>|<=|>=|[=<>(),+\-*/%^]/y, 'sign'],
] as const

const space = /\s*/y

/** As deep as a filter may be nested as JSON. */
const max_depth = 30

const invalidCql2Text = (message: string): Problem =>
  validationProblem([{ path: 'filter', message: `is not CQL2 text: ${message}` }], 'query')

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** The tokens of a text, and one that marks its end. Throws `validation` for a character that begins none. */
function tokenizeCql2Text(text: string): Cql2Token[] {
  const tokens: Cql2Token[] = []
  let at = matchAt(space, text, 0)!.length
  while (at < text.length) {
    const token = tokenPatterns
      .values()
      .map(([pattern, kind]) => ({ kind, text: matchAt(pattern, text, at) ?? '' }))
      .find((candidate) => candidate.text !== '')
    if (!token) throw invalidCql2Text(`nothing begins with "${text.slice(at, at + 20)}"`)
    tokens.push(token)
    at += token.text.length
    at += matchAt(space, text, at)!.length
  }
  return [...tokens, { kind: 'end', text: '' }]
}

/** Reads tokens one by one. */
export class Cql2TokenReader {
  private position = 0
  private depth = 0
  private readonly tokens: readonly Cql2Token[]

  constructor(text: string) {
    this.tokens = tokenizeCql2Text(text)
  }

  readonly peek = (): Cql2Token => this.tokens[this.position]!
  readonly next = (): Cql2Token => {
    const token = this.peek()
    if (token.kind !== 'end') this.position += 1
    return token
  }
  readonly isWord = (word: string): boolean => this.peek().kind === 'name' && this.peek().text.toLowerCase() === word
  readonly isSign = (sign: string): boolean => this.peek().kind === 'sign' && this.peek().text === sign
  readonly takeWord = (word: string): boolean => this.isWord(word) && Boolean(this.next())
  readonly takeSign = (sign: string): boolean => this.isSign(sign) && Boolean(this.next())

  /** Throws unless the next token is this word or sign. */
  expect(what: string): void {
    if (!this.takeSign(what) && !this.takeWord(what)) throw this.unexpected(`"${what.toUpperCase()}"`)
  }

  unexpected(expected: string): Problem {
    const { kind, text } = this.peek()
    const found = kind === 'end' ? 'it ends' : `it has "${text.slice(0, 40)}"`
    return invalidCql2Text(`where ${expected} is expected, ${found}`)
  }

  /** Throws if so many levels below the place that is read are too many. */
  requireDepth(levels: number): void {
    if (this.depth + levels > max_depth) throw invalidCql2Text(`it is nested deeper than ${max_depth} levels`)
  }

  /** Reads something that may contain itself, within the depth of a filter. */
  nested<T>(read: () => T): T {
    this.depth += 1
    this.requireDepth(0)
    const result = read()
    this.depth -= 1
    return result
  }
}
