import { parseWktGeometry } from './geometries.ts'
import { Cql2TokenReader } from './tokens.ts'

type Json = unknown

/** Operators that are written as functions, by their name in lower case. */
const canonicalNames = new Map(
  ['isNull', 't_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy', 'a_containedBy'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
const operatorPattern = /^(?:[sta]_\w+|casei|accenti|in|like|between|isnull|div)$/
const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

const op = (name: string, ...args: Json[]): Json => ({ op: name, args })
const isProperty = (value: Json): boolean => typeof value === 'object' && value !== null && 'property' in value

/** A parser by recursive descent, from the weakest operator to the strongest. */
class Cql2TextParser {
  private readonly reader: Cql2TokenReader

  constructor(text: string) {
    this.reader = new Cql2TokenReader(text)
  }

  parseAll(): Json {
    const filter = this.parseOr()
    if (this.reader.peek().kind !== 'end') throw this.reader.unexpected('the end')
    return filter
  }

  private parseChain(word: string, read: () => Json): Json {
    const parts = [read()]
    while (this.reader.takeWord(word)) parts.push(read())
    return parts.length === 1 ? parts[0] : op(word, ...parts)
  }

  private readonly parseOr = (): Json =>
    this.reader.nested(() => this.parseChain('or', () => this.parseChain('and', this.parseNot)))

  private readonly parseNot = (): Json =>
    this.reader.takeWord('not') ? op('not', this.reader.nested(this.parseNot)) : this.parseComparison()

  private parseComparison(): Json {
    const { reader } = this
    const left = this.parseSum()
    const { kind, text } = reader.peek()
    if (kind === 'sign' && comparisons.has(text)) return op(reader.next().text, left, this.parseSum())
    if (reader.takeWord('is')) {
      const isNegated = reader.takeWord('not')
      reader.expect('null')
      return isNegated ? op('not', op('isNull', left)) : op('isNull', left)
    }
    const isNegated = reader.takeWord('not')
    const predicate = this.parsePredicate(left)
    if (predicate === undefined && isNegated) throw reader.unexpected('LIKE, BETWEEN or IN')
    return isNegated ? op('not', predicate) : (predicate ?? left)
  }

  private parsePredicate(left: Json): Json | undefined {
    const { reader } = this
    if (reader.takeWord('like')) return op('like', left, this.parseSum())
    if (reader.takeWord('between')) {
      const low = this.parseSum()
      reader.expect('and')
      return op('between', left, low, this.parseSum())
    }
    if (!reader.takeWord('in')) return undefined
    reader.expect('(')
    return op('in', left, this.parseListUntilClosed())
  }

  private parseLeftAssociative(read: () => Json, signs: readonly string[]): Json {
    let result = read()
    // Each operator is a level of the JSON.
    for (let depth = 1; ; depth++) {
      const sign = signs.find((name) => this.reader.isSign(name) || this.reader.isWord(name))
      if (!sign) return result
      this.reader.requireDepth(depth)
      this.reader.next()
      result = op(sign, result, read())
    }
  }

  private readonly parseSum = (): Json => this.parseLeftAssociative(this.parseProduct, ['+', '-'])
  private readonly parseProduct = (): Json => this.parseLeftAssociative(this.parsePower, ['*', '/', '%', 'div'])
  private readonly parsePower = (): Json => this.parseLeftAssociative(this.parseSigned, ['^'])
  private readonly parseSigned = (): Json => {
    if (!this.reader.takeSign('-')) return this.parsePrimary()
    const value = this.reader.nested(this.parseSigned)
    return typeof value === 'number' ? -value : op('*', -1, value)
  }

  private parseListUntilClosed(): Json[] {
    if (this.reader.takeSign(')')) return []
    const members = [this.parseOr()]
    while (this.reader.takeSign(',')) members.push(this.parseOr())
    this.reader.expect(')')
    return members
  }

  private parsePrimary(): Json {
    const { reader } = this
    const { kind, text } = reader.peek()
    if (kind === 'end' || (kind === 'sign' && text !== '(')) throw reader.unexpected('a value')
    reader.next()
    if (kind === 'number') return Number(text)
    if (kind === 'text') return text.slice(1, -1).replaceAll(/''|\\'/g, "'")
    if (kind === 'sign') {
      const members = this.parseListUntilClosed()
      return members.length === 1 ? members[0] : members
    }
    const name = kind === 'quoted' ? text.slice(1, -1) : text
    const word = name.toLowerCase()
    if (kind === 'name' && (word === 'true' || word === 'false')) return word === 'true'
    const geometry = kind === 'name' ? parseWktGeometry(reader, word) : undefined
    if (geometry) return geometry
    return reader.takeSign('(') ? this.parseCall(name) : { property: name }
  }

  private parseCall(name: string): Json {
    const word = name.toLowerCase()
    const args = this.parseListUntilClosed()
    if (word === 'date' || word === 'timestamp') return { [word]: args[0] }
    if (word === 'interval' || word === 'bbox') return { [word]: args }
    if (word === 'in') return op('in', args[0], args.length === 2 ? [args[1]].flat() : args.slice(1))
    if (word.startsWith('a_'))
      return op(canonicalNames.get(word) ?? word, ...args.map((side) => (isProperty(side) ? side : [side].flat())))
    return op(canonicalNames.get(word) ?? (operatorPattern.test(word) ? word : name), ...args)
  }
}

/** Converts CQL2 text to CQL2-JSON (OGC 21-065r2), whose meaning is checked where JSON is. Throws `validation`. */
export const parseCql2Text = (text: string): Json => new Cql2TextParser(text).parseAll()
