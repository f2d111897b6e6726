import { RasterFailure } from '../../failures.ts'

export interface ExpressionToken {
  readonly kind: 'number' | 'name' | 'sign' | 'end'
  readonly text: string
  /** Position in the formula, counted from 1, for messages. */
  readonly at: number
}

const operatorSigns = ['**', '<=', '>=', '==', '!=', '+', '-', '*', '/', '<', '>', '(', ')', ',']
const numberPattern = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const namePattern = /[A-Za-z_][A-Za-z0-9_]*/y
const spacePattern = /\s+/y

/** Operators of other languages, each with the one to write here. */
const operatorHints: Readonly<Record<string, string>> = { '^': '**', '&': 'and', '|': 'or', '!': 'not', '=': '==' }

/** Splits a formula into words, numbers and signs, or fails with the place of the first character that is none. */
export function tokenizeExpression(text: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = []
  let at = 0
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  while (at < text.length) {
    const space = match(spacePattern)
    if (space !== null) {
      at += space.length
      continue
    }
    const number = match(numberPattern)
    const name = number === null ? match(namePattern) : null
    const found = number ?? name ?? operatorSigns.find((sign) => text.startsWith(sign, at))
    if (found === undefined) throw unreadable(text, at)
    tokens.push({ kind: number !== null ? 'number' : name !== null ? 'name' : 'sign', text: found, at: at + 1 })
    at += found.length
  }
  tokens.push({ kind: 'end', text: 'the end', at: text.length + 1 })
  return tokens
}

function unreadable(text: string, at: number): RasterFailure {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const hint = operatorHints[character] ? `; write ${operatorHints[character]} instead` : ''
  return new RasterFailure('expression', `“${character}” at position ${at + 1} means nothing in a formula${hint}`)
}
