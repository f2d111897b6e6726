/** Converts CQL2 text to CQL2-JSON for tests whose filters are text: the API accepts JSON only. */

type Json = unknown
interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign' | 'end'
  readonly text: string
}

const tokenPatterns = [
  [/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|^\.\d+(?:[eE][+-]?\d+)?/, 'number'],
  [/^'(?:[^'\\]|''|\\.)*'/s, 'text'],
  [/^"(?:[^"]|"")*"/, 'quoted'],
  [/^[\p{L}_:][\p{L}\p{N}_:.]*/u, 'name'],
  [/^(?:<>|<=|>=|[=<>(),+\-*/%^])/, 'sign'],
] as const

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let remaining = text.trim()
  while (remaining) {
    const matchedToken = tokenPatterns
      .map(([shape, kind]) => ({ kind, match: shape.exec(remaining)?.[0] }))
      .find(({ match }) => match)
    if (!matchedToken?.match) throw new Error(`cannot parse "${remaining.slice(0, 20)}" of "${text}"`)
    tokens.push({ kind: matchedToken.kind, text: matchedToken.match })
    remaining = remaining.slice(matchedToken.match.length).trimStart()
  }
  return [...tokens, { kind: 'end', text: '' }]
}

const canonicalNames = new Map(
  ['isNull', 't_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy', 'a_containedBy'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
const operatorPattern = /^(?:[sta]_\w+|casei|accenti|in|like|between|isnull|div)$/

const geometries = new Map(
  ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map((type) => [
    type.toLowerCase(),
    type,
  ]),
)
const coordinateDepths: Record<string, number> = {
  LineString: 1,
  MultiPoint: 1,
  Polygon: 2,
  MultiLineString: 2,
  MultiPolygon: 3,
}

const hasMember = (value: Json, member: string): boolean =>
  typeof value === 'object' && value !== null && member in value
const op = (name: string, ...args: Json[]): Json => ({ op: name, args })

class Parser {
  private position = 0
  private readonly tokens: readonly Token[]
  constructor(text: string) {
    this.tokens = tokenize(text)
  }

  parseAll(): Json {
    const read = this.parseOr()
    if (this.peek().kind !== 'end') throw new Error(`unexpected "${this.peek().text}" at the end`)
    return read
  }

  private peek = (): Token => this.tokens[this.position]!
  private next = (): Token => this.tokens[this.position++]!
  private isWord = (word: string): boolean => this.peek().kind === 'name' && this.peek().text.toLowerCase() === word
  private isSign = (sign: string): boolean => this.peek().kind === 'sign' && this.peek().text === sign
  private takeWord = (word: string): boolean => this.isWord(word) && Boolean(this.next())
  private takeSign = (sign: string): boolean => this.isSign(sign) && Boolean(this.next())
  private expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw new Error(`expected "${sign}", found "${this.peek().text}"`)
  }

  private parseChain(word: string, read: () => Json): Json {
    const parts = [read()]
    while (this.takeWord(word)) parts.push(read())
    return parts.length === 1 ? parts[0] : op(word, ...parts)
  }
  private parseOr = (): Json => this.parseChain('or', () => this.parseChain('and', this.parseNot))
  private parseNot = (): Json => (this.takeWord('not') ? op('not', this.parseNot()) : this.parseComparison())

  private parseComparison(): Json {
    const left = this.parseSum()
    if (['=', '<>', '<', '<=', '>', '>='].some(this.isSign)) return op(this.next().text, left, this.parseSum())
    if (this.takeWord('is')) {
      const negative = this.takeWord('not')
      if (!this.takeWord('null')) throw new Error('expected NULL after IS')
      return negative ? op('not', op('isNull', left)) : op('isNull', left)
    }
    const negative = this.takeWord('not')
    const predicate = this.parsePredicate(left)
    if (predicate === undefined) {
      if (negative) throw new Error('expected a predicate after NOT')
      return left
    }
    return negative ? op('not', predicate) : predicate
  }

  private parsePredicate(left: Json): Json | undefined {
    if (this.takeWord('like')) return op('like', left, this.parseSum())
    if (this.takeWord('between')) {
      const low = this.parseSum()
      if (!this.takeWord('and')) throw new Error('expected AND after BETWEEN')
      return op('between', left, low, this.parseSum())
    }
    if (!this.takeWord('in')) return undefined
    this.expectSign('(')
    return op('in', left, this.parseListUntilClosed())
  }

  private parseLeftAssociative(read: () => Json, signs: readonly string[]): Json {
    let result = read()
    for (;;) {
      const sign = signs.find((name) => this.isSign(name) || this.isWord(name))
      if (!sign) return result
      this.next()
      result = op(sign, result, read())
    }
  }
  private parseSum = (): Json => this.parseLeftAssociative(this.parseProduct, ['+', '-'])
  private parseProduct = (): Json => this.parseLeftAssociative(this.parsePower, ['*', '/', '%', 'div'])
  private parsePower = (): Json => {
    const base = this.parseSigned()
    return this.takeSign('^') ? op('^', base, this.parsePower()) : base
  }
  private parseSigned = (): Json => {
    if (!this.takeSign('-')) return this.parsePrimary()
    const value = this.parseSigned()
    return typeof value === 'number' ? -value : op('*', -1, value)
  }

  private parseListUntilClosed(): Json[] {
    if (this.takeSign(')')) return []
    const members = [this.parseOr()]
    while (this.takeSign(',')) members.push(this.parseOr())
    this.expectSign(')')
    return members
  }

  private parsePrimary(): Json {
    const token = this.next()
    if (token.kind === 'number') return Number(token.text)
    if (token.kind === 'text') return token.text.slice(1, -1).replaceAll(/''|\\'/g, "'")
    if (token.kind === 'quoted')
      return this.isSign('(') ? this.parseCall(token.text) : { property: token.text.slice(1, -1) }
    if (token.text === '(') {
      const members = this.parseListUntilClosed()
      return members.length === 1 ? members[0] : members
    }
    if (token.kind !== 'name') throw new Error(`"${token.text}" does not start a value`)
    const word = token.text.toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    const shape = this.parseGeometry(word)
    if (shape) return shape
    return this.takeSign('(') ? this.parseCall(token.text) : { property: token.text }
  }

  private parseGeometry(word: string): Json | undefined {
    const type = geometries.get(word)
    const isNext = this.isSign('(') || this.isWord('z')
    if (!isNext || (!type && word !== 'geometrycollection')) return undefined
    this.takeWord('z')
    if (type)
      return {
        type,
        coordinates: type === 'Point' ? this.parsePositions(1) : this.parsePositions(coordinateDepths[type]!),
      }
    this.expectSign('(')
    return { type: 'GeometryCollection', geometries: this.parseListUntilClosed() }
  }

  /** Nested lists whose innermost members are positions, which a multipoint may bracket. */
  private parsePositions(depth: number): Json {
    this.expectSign('(')
    const members: Json[] = []
    do {
      if (depth > 1) members.push(this.parsePositions(depth - 1))
      else {
        const bracketed = this.takeSign('(')
        const position: Json[] = []
        while (!this.isSign(',') && !this.isSign(')')) position.push(this.parseSigned())
        if (bracketed) this.expectSign(')')
        members.push(position)
      }
    } while (this.takeSign(','))
    this.expectSign(')')
    return members
  }

  private parseCall(name: string): Json {
    const word = name.toLowerCase()
    const args = this.parseListUntilClosed()
    if (word === 'date' || word === 'timestamp') return { [word]: args[0] }
    if (word === 'interval' || word === 'bbox') return { [word]: args }
    if (word === 'in') return op('in', args[0], args.length === 2 ? [args[1]].flat() : args.slice(1))
    if (word.startsWith('a_'))
      return op(
        canonicalNames.get(word) ?? word,
        ...args.map((side) => (hasMember(side, 'property') ? side : [side].flat())),
      )
    return op(canonicalNames.get(word) ?? (operatorPattern.test(word) ? word : name), ...args)
  }
}

/** Throws if the text is not valid CQL2. */
export function textToJson(text: string): Json {
  const json = new Parser(text).parseAll()
  return unwrapPoints(json)
}

/** A point is parsed as a list of one position. */
const unwrapPoints = (json: Json): Json =>
  JSON.parse(JSON.stringify(json), (_key, value) =>
    value?.type === 'Point' && Array.isArray(value.coordinates?.[0])
      ? { ...value, coordinates: value.coordinates[0] }
      : value,
  )
