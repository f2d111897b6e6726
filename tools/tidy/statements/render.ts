import type { AnyNode, TaggedTemplateExpression } from 'acorn'
import { absentValue, type Value } from './values.ts'

/** One text that a statement can have, with numbered parameters. */
export interface RenderedSql {
  readonly text: string
  /** The parameters that may be more than a bound value, as positions in the text. */
  readonly holes: readonly { readonly start: number; readonly end: number }[]
  /** The templates that are part of it. */
  readonly templates: ReadonlySet<TaggedTemplateExpression>
}

/** How often each option of each decision was taken. */
type Coverage = Map<AnyNode, number[]>

/**
 * The texts of a statement: every outcome of every decision occurs in one of them, though not every combination.
 *
 * @param max_texts a statement with more decisions than these show is a filter of unlimited depth.
 */
export function renderTexts(value: Value, max_texts: number): RenderedSql[] {
  const coverage: Coverage = new Map()
  const rendered = new Map<string, RenderedSql>()
  for (let count = 0; count < max_texts; count += 1) {
    const one = new Renderer(coverage).render(value)
    rendered.set(one.text, one)
    if ([...coverage.values()].every((uses) => uses.every((times) => times > 0))) break
  }
  return [...rendered.values()]
}

/** Whether a value is SQL of its own, rather than SQL that its caller passes. */
export function isOwnSql(value: Value): boolean {
  if (value.kind === 'choice') return value.options.some((option) => isOwnSql(option()))
  return value.kind === 'sql' || value.kind === 'joined'
}

class Renderer {
  private text = ''
  private parameters = 0
  private names = 0
  private readonly holes: { start: number; end: number }[] = []
  private readonly templates = new Set<TaggedTemplateExpression>()
  private readonly decisions = new Map<object, number>()
  private readonly coverage: Coverage

  constructor(coverage: Coverage) {
    this.coverage = coverage
  }

  render(value: Value): RenderedSql {
    this.write(value)
    return { text: this.text, holes: this.holes, templates: this.templates }
  }

  private write(value: Value): void {
    const decided = this.decide(value)
    if (decided.kind === 'sql') {
      if (decided.template) this.templates.add(decided.template)
      decided.texts.forEach((text, index) => {
        this.text += text
        const part = decided.parts[index]
        if (part) this.write(part())
      })
    } else if (decided.kind === 'joined') {
      this.writeJoined(decided.list, decided.separator)
    } else if (decided.kind === 'identifier') {
      this.writeIdentifier(this.decide(decided.name))
    } else {
      this.writeParameter(decided.kind === 'unknown')
    }
  }

  private writeJoined(list: Value, separator: Value): void {
    const items = this.listItems(list)
    items.forEach((item, index) => {
      if (index > 0) this.write(separator)
      this.write(item)
    })
  }

  private listItems(value: Value): Value[] {
    const list = this.decide(value)
    if (list.kind === 'absent') return []
    if (list.kind !== 'list') return [list]
    return list.items.flatMap((item) => {
      const decided = this.decide(item)
      return decided.kind === 'spread' ? this.listItems(decided.list) : [decided]
    })
  }

  /** A name that is not known becomes one that occurs once. */
  private writeIdentifier(name: Value): void {
    this.names += 1
    this.text += `"${name.kind === 'text' ? name.text : `name_${this.names}`}"`
  }

  private writeParameter(mayBeMore: boolean): void {
    this.parameters += 1
    const start = this.text.length
    this.text += `$${this.parameters}`
    if (mayBeMore) this.holes.push({ start, end: this.text.length })
  }

  /**
   * The same decision has one outcome in a text; a new one takes the option that was taken least. That nothing is there is
   * left out: code that uses a value has made sure of it.
   */
  private decide(value: Value): Value {
    if (value.kind !== 'choice') return value
    const { site, decision, options } = value
    const uses = this.coverage.get(site) ?? options.map(() => 0)
    this.coverage.set(site, uses)
    const indexes = options.map((_option, index) => index).sort((left, right) => uses[left]! - uses[right]!)
    for (const index of [this.decisions.get(decision), ...indexes]) {
      if (index === undefined || !options[index]) continue
      uses[index] = (uses[index] ?? 0) + 1
      const taken = this.decide(options[index]())
      if (taken.kind === 'absent') continue
      this.decisions.set(decision, index)
      return taken
    }
    return absentValue
  }
}
