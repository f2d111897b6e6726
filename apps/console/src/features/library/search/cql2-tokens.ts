/** A token of CQL2 text, with its place in the text. */
export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'symbol' | 'end'
  /** A name without its quotes, the content of a text, or the characters of anything else. */
  readonly value: string
  readonly at: number
  /** A name in double quotes is never a keyword. */
  readonly isQuoted: boolean
}

/** A text that is not CQL2; `at` counts characters from its start. */
export class Cql2SyntaxError extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.name = 'Cql2SyntaxError'
    this.at = at
  }
}

const pattern =
  /(?<space>\s+)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|'(?<text>(?:[^']|'')*)'|"(?<quoted>[^"]+)"|(?<name>[\p{L}_:][\p{L}\p{N}_:.]*)|(?<symbol><>|<=|>=|[<>=(),+\-*/%^])/uy

/** Splits CQL2 text (OGC 21-065r2) into tokens. Throws `Cql2SyntaxError`. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  const matcher = new RegExp(pattern)
  while (matcher.lastIndex < source.length) {
    const at = matcher.lastIndex
    const found = matcher.exec(source)
    if (!found) throw new Cql2SyntaxError(describeStart(source[at]!), at)
    const { space, number, text, quoted, name, symbol } = found.groups!
    if (space !== undefined) continue
    const isQuoted = quoted !== undefined
    if (number !== undefined) tokens.push({ kind: 'number', value: number, at, isQuoted })
    else if (text !== undefined) tokens.push({ kind: 'text', value: text.replaceAll("''", "'"), at, isQuoted })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', value: symbol, at, isQuoted })
    else tokens.push({ kind: 'name', value: (quoted ?? name)!, at, isQuoted })
  }
  return [...tokens, { kind: 'end', value: '', at: source.length, isQuoted: false }]
}

function describeStart(character: string): string {
  if (character === "'" || character === '"') return `The ${character} is not closed.`
  return `The character ${character} has no meaning here.`
}
