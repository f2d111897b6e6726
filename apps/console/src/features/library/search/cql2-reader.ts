import { Cql2SyntaxError, tokenize, type Token } from './cql2-tokens.ts'

/** Reads tokens from left to right. */
export interface TokenReader {
  /** The token that comes next, or one after it. */
  readonly peek: (ahead?: number) => Token
  readonly next: () => Token
  /** Takes the next token if it is this symbol. */
  readonly takeSymbol: (symbol: string) => boolean
  /** Takes the next token if it is this keyword, in any case. */
  readonly takeKeyword: (keyword: string) => boolean
  /** True if the next token is this keyword, which stays. */
  readonly seesKeyword: (keyword: string, ahead?: number) => boolean
  readonly expectSymbol: (symbol: string) => void
  readonly expectKeyword: (keyword: string) => void
  readonly fail: (expected: string) => never
}

export function createTokenReader(source: string): TokenReader {
  const tokens = tokenize(source)
  let index = 0
  const peek = (ahead = 0): Token => tokens[Math.min(index + ahead, tokens.length - 1)]!
  const fail = (expected: string): never => {
    const { kind, value, at } = peek()
    throw new Cql2SyntaxError(`${expected} is expected ${kind === 'end' ? 'at the end' : `instead of “${value}”`}.`, at)
  }
  const seesSymbol = (symbol: string): boolean => peek().kind === 'symbol' && peek().value === symbol
  const seesKeyword = (keyword: string, ahead = 0): boolean => {
    const { kind, value, isQuoted } = peek(ahead)
    return kind === 'name' && !isQuoted && value.toUpperCase() === keyword
  }
  const take = (isThere: boolean): boolean => {
    if (isThere) index++
    return isThere
  }
  const takeSymbol = (symbol: string): boolean => take(seesSymbol(symbol))
  const takeKeyword = (keyword: string): boolean => take(seesKeyword(keyword))
  return {
    peek,
    next: () => {
      const token = peek()
      index++
      return token
    },
    takeSymbol,
    takeKeyword,
    seesKeyword,
    expectSymbol: (symbol) => {
      if (!takeSymbol(symbol)) fail(`“${symbol}”`)
    },
    expectKeyword: (keyword) => {
      if (!takeKeyword(keyword)) fail(keyword)
    },
    fail,
  }
}
