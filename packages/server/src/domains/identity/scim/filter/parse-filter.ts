import { limits } from '@swath/contract/limits.ts'
import { invalidFilter } from '../scim-problem.ts'

export type FilterOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'

export type FilterValue = string | number | boolean | null

/** A filter of RFC 7644 3.4.2.2. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly left: ScimFilter; readonly right: ScimFilter }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'compare'; readonly path: string; readonly operator: FilterOperator; readonly value: FilterValue }
  | { readonly kind: 'values'; readonly path: string; readonly filter: ScimFilter }

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])

/** Deeper nesting, and more terms, are refused. */
const max_depth = 20
const max_terms = 100

const tokenPattern =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.:$-])|([A-Za-z$][\w.:$-]*))/y

interface Token {
  readonly kind: 'bracket' | 'text' | 'number' | 'word' | 'end'
  readonly text: string
}

const endToken: Token = { kind: 'end', text: '' }

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const [, bracket, quoted, number, word] = pattern.exec(text) ?? []
    if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else throw invalidFilter('The filter has characters that are not part of one.')
  }
  return tokens
}

class FilterParser {
  private readonly tokens: readonly Token[]
  private at = 0
  private terms = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length
  }

  private peek(): Token {
    return this.tokens[this.at] ?? endToken
  }

  private next(): Token {
    const token = this.peek()
    this.at += 1
    return token
  }

  private isWord(word: string): boolean {
    const { kind, text } = this.peek()
    return kind === 'word' && text.toLowerCase() === word
  }

  private expect(bracket: string): void {
    const { kind, text } = this.next()
    if (kind !== 'bracket' || text !== bracket)
      throw invalidFilter(`The filter has no "${bracket}" where it needs one.`)
  }

  /** `isValue`: within brackets, where no further ones may be. */
  parseOr(depth: number, isValue: boolean): ScimFilter {
    if (depth > max_depth) throw invalidFilter('The filter is nested too deeply.')
    let left = this.parseAnd(depth, isValue)
    while (this.isWord('or')) {
      this.at += 1
      left = { kind: 'or', left, right: this.parseAnd(depth, isValue) }
    }
    return left
  }

  private parseAnd(depth: number, isValue: boolean): ScimFilter {
    let left = this.parseTerm(depth, isValue)
    while (this.isWord('and')) {
      this.at += 1
      left = { kind: 'and', left, right: this.parseTerm(depth, isValue) }
    }
    return left
  }

  private parseTerm(depth: number, isValue: boolean): ScimFilter {
    const { kind, text } = this.peek()
    if (kind === 'bracket' && text === '(') return this.parseGroup(depth, isValue)
    const follower = this.tokens[this.at + 1]
    if (this.isWord('not') && follower?.kind === 'bracket' && follower.text === '(') {
      this.at += 1
      return { kind: 'not', filter: this.parseGroup(depth, isValue) }
    }
    return this.parseExpression(depth, isValue)
  }

  private parseGroup(depth: number, isValue: boolean): ScimFilter {
    this.expect('(')
    const filter = this.parseOr(depth + 1, isValue)
    this.expect(')')
    return filter
  }

  private parseExpression(depth: number, isValue: boolean): ScimFilter {
    this.terms += 1
    if (this.terms > max_terms) throw invalidFilter(`A filter has ${max_terms} terms at most.`)
    const { kind, text: path } = this.next()
    if (kind !== 'word') throw invalidFilter('The filter has no attribute where it needs one.')
    const { kind: nextKind, text } = this.next()
    if (nextKind === 'bracket' && text === '[' && !isValue) {
      const filter = this.parseOr(depth + 1, true)
      this.expect(']')
      return { kind: 'values', path, filter }
    }
    const operator = nextKind === 'word' ? text.toLowerCase() : ''
    if (operator === 'pr') return { kind: 'present', path }
    if (!operators.has(operator)) throw invalidFilter(`"${text.slice(0, 20)}" is not an operator of filters.`)
    return { kind: 'compare', path, operator: operator as FilterOperator, value: this.parseValue() }
  }

  private parseValue(): FilterValue {
    const { kind, text } = this.next()
    const isLiteral = kind === 'text' || kind === 'number' || ['true', 'false', 'null'].includes(text)
    if (!isLiteral) throw invalidFilter('The filter has no value where it needs one.')
    try {
      return JSON.parse(text) as FilterValue
    } catch {
      throw invalidFilter('A text of the filter is not one of JSON.')
    }
  }
}

/** Parses a filter, whose length and nesting are bounded. Throws `invalidFilter`. */
export function parseFilter(text: string): ScimFilter {
  if (text.length > limits.max_scim_filter_length)
    throw invalidFilter(`A filter has ${limits.max_scim_filter_length} characters at most.`)
  const parser = new FilterParser(tokenize(text))
  const filter = parser.parseOr(0, false)
  if (!parser.isAtEnd) throw invalidFilter('The filter goes on after its end.')
  return filter
}

/** The value that a path must equal for the filter to match; null if the filter does not say. For looking rows up by it. */
export function findEqualValue(filter: ScimFilter | null, path: string): string | null {
  if (filter?.kind === 'and') return findEqualValue(filter.left, path) ?? findEqualValue(filter.right, path)
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return null
  return filter.path.toLowerCase() === path.toLowerCase() ? filter.value : null
}
