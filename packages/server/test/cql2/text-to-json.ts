/** Converts CQL2 text to CQL2-JSON for tests whose filters are text: the API accepts JSON only. */

type Json = unknown
interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'quoted' | 'sign' | 'end'
  readonly text: string
}

const shapes = [
  [/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|^\.\d+(?:[eE][+-]?\d+)?/, 'number'],
  [/^'(?:[^'\\]|''|\\.)*'/s, 'text'],
  [/^"(?:[^"]|"")*"/, 'quoted'],
  [/^[\p{L}_:][\p{L}\p{N}_:.]*/u, 'name'],
  [/^(?:<>|<=|>=|[=<>(),+\-*/%^])/, 'sign'],
] as const

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let rest = text.trim()
  while (rest) {
    const found = shapes.map(([shape, kind]) => ({ kind, match: shape.exec(rest)?.[0] })).find(({ match }) => match)
    if (!found?.match) throw new Error(`cannot parse "${rest.slice(0, 20)}" of "${text}"`)
    tokens.push({ kind: found.kind, text: found.match })
    rest = rest.slice(found.match.length).trimStart()
  }
  return [...tokens, { kind: 'end', text: '' }]
}

const spelled = new Map(
  ['isNull', 't_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy', 'a_containedBy'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)
const known = /^(?:[sta]_\w+|casei|accenti|in|like|between|isnull|div)$/

const geometries = new Map(
  ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map((type) => [
    type.toLowerCase(),
    type,
  ]),
)
const depths: Record<string, number> = { LineString: 1, MultiPoint: 1, Polygon: 2, MultiLineString: 2, MultiPolygon: 3 }

const is = (value: Json, member: string): boolean => typeof value === 'object' && value !== null && member in value
const op = (name: string, ...args: Json[]): Json => ({ op: name, args })

class Reader {
  private at = 0
  private readonly tokens: readonly Token[]
  constructor(text: string) {
    this.tokens = tokensOf(text)
  }

  whole(): Json {
    const read = this.either()
    if (this.peek().kind !== 'end') throw new Error(`unexpected "${this.peek().text}" at the end`)
    return read
  }

  private peek = (): Token => this.tokens[this.at]!
  private next = (): Token => this.tokens[this.at++]!
  private isWord = (word: string): boolean => this.peek().kind === 'name' && this.peek().text.toLowerCase() === word
  private isSign = (sign: string): boolean => this.peek().kind === 'sign' && this.peek().text === sign
  private takeWord = (word: string): boolean => this.isWord(word) && Boolean(this.next())
  private take = (sign: string): boolean => this.isSign(sign) && Boolean(this.next())
  private must(sign: string): void {
    if (!this.take(sign)) throw new Error(`expected "${sign}", found "${this.peek().text}"`)
  }

  private chain(word: string, read: () => Json): Json {
    const parts = [read()]
    while (this.takeWord(word)) parts.push(read())
    return parts.length === 1 ? parts[0] : op(word, ...parts)
  }
  private either = (): Json => this.chain('or', () => this.chain('and', this.negated))
  private negated = (): Json => (this.takeWord('not') ? op('not', this.negated()) : this.comparison())

  private comparison(): Json {
    const left = this.sum()
    if (['=', '<>', '<', '<=', '>', '>='].some(this.isSign)) return op(this.next().text, left, this.sum())
    if (this.takeWord('is')) {
      const negative = this.takeWord('not')
      if (!this.takeWord('null')) throw new Error('expected NULL after IS')
      return negative ? op('not', op('isNull', left)) : op('isNull', left)
    }
    const negative = this.takeWord('not')
    const predicate = this.advanced(left)
    if (predicate === undefined) {
      if (negative) throw new Error('expected a predicate after NOT')
      return left
    }
    return negative ? op('not', predicate) : predicate
  }

  private advanced(left: Json): Json | undefined {
    if (this.takeWord('like')) return op('like', left, this.sum())
    if (this.takeWord('between')) {
      const low = this.sum()
      if (!this.takeWord('and')) throw new Error('expected AND after BETWEEN')
      return op('between', left, low, this.sum())
    }
    if (!this.takeWord('in')) return undefined
    this.must('(')
    return op('in', left, this.listUntilClosed())
  }

  private left(read: () => Json, signs: readonly string[]): Json {
    let result = read()
    for (;;) {
      const sign = signs.find((name) => this.isSign(name) || this.isWord(name))
      if (!sign) return result
      this.next()
      result = op(sign, result, read())
    }
  }
  private sum = (): Json => this.left(this.product, ['+', '-'])
  private product = (): Json => this.left(this.power, ['*', '/', '%', 'div'])
  private power = (): Json => {
    const base = this.signed()
    return this.take('^') ? op('^', base, this.power()) : base
  }
  private signed = (): Json => {
    if (!this.take('-')) return this.primary()
    const value = this.signed()
    return typeof value === 'number' ? -value : op('*', -1, value)
  }

  private listUntilClosed(): Json[] {
    if (this.take(')')) return []
    const members = [this.either()]
    while (this.take(',')) members.push(this.either())
    this.must(')')
    return members
  }

  private primary(): Json {
    const token = this.next()
    if (token.kind === 'number') return Number(token.text)
    if (token.kind === 'text') return token.text.slice(1, -1).replaceAll(/''|\\'/g, "'")
    if (token.kind === 'quoted') return this.isSign('(') ? this.call(token.text) : { property: token.text.slice(1, -1) }
    if (token.text === '(') {
      const members = this.listUntilClosed()
      return members.length === 1 ? members[0] : members
    }
    if (token.kind !== 'name') throw new Error(`"${token.text}" does not start a value`)
    const word = token.text.toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    const shape = this.shape(word)
    if (shape) return shape
    return this.take('(') ? this.call(token.text) : { property: token.text }
  }

  private shape(word: string): Json | undefined {
    const type = geometries.get(word)
    const isNext = this.isSign('(') || this.isWord('z')
    if (!isNext || (!type && word !== 'geometrycollection')) return undefined
    this.takeWord('z')
    if (type) return { type, coordinates: type === 'Point' ? this.positions(1) : this.positions(depths[type]!) }
    this.must('(')
    return { type: 'GeometryCollection', geometries: this.listUntilClosed() }
  }

  /** Nested lists whose innermost members are positions, which a multipoint may bracket. */
  private positions(depth: number): Json {
    this.must('(')
    const members: Json[] = []
    do {
      if (depth > 1) members.push(this.positions(depth - 1))
      else {
        const bracketed = this.take('(')
        const position: Json[] = []
        while (!this.isSign(',') && !this.isSign(')')) position.push(this.signed())
        if (bracketed) this.must(')')
        members.push(position)
      }
    } while (this.take(','))
    this.must(')')
    return members
  }

  private call(name: string): Json {
    const word = name.toLowerCase()
    const args = this.listUntilClosed()
    if (word === 'date' || word === 'timestamp') return { [word]: args[0] }
    if (word === 'interval' || word === 'bbox') return { [word]: args }
    if (word === 'in') return op('in', args[0], args.length === 2 ? [args[1]].flat() : args.slice(1))
    if (word.startsWith('a_'))
      return op(spelled.get(word) ?? word, ...args.map((side) => (is(side, 'property') ? side : [side].flat())))
    return op(spelled.get(word) ?? (known.test(word) ? word : name), ...args)
  }
}

/** Throws if the text is not valid CQL2. */
export function textToJson(text: string): Json {
  const json = new Reader(text).whole()
  return fixPoints(json)
}

/** A point is parsed as a list of one position. */
const fixPoints = (json: Json): Json =>
  JSON.parse(JSON.stringify(json), (_key, value) =>
    value?.type === 'Point' && Array.isArray(value.coordinates?.[0])
      ? { ...value, coordinates: value.coordinates[0] }
      : value,
  )
