import type { TSchema } from 'typebox'

/** Which moment of a day a date stands for. */
export type Edge = 'start' | 'end'

const day = /^\d{4}-\d\d-\d\d$/
const zoneless = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?$/

/**
 * A time as RFC 3339 has it: one without an offset is UTC, and a date alone is the first or the last millisecond of its day.
 * What is neither stays as it is.
 */
export function spellTime(text: string, edge: Edge): string {
  if (day.test(text)) return edge === 'start' ? `${text}T00:00:00.000Z` : `${text}T23:59:59.999Z`
  return zoneless.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Fields that end an interval, by their names: `to`, `end_datetime`, `acquisitionEnd`, `expires_at`. */
const ends = /^(to|expires_at)$|(^|_)end(_|$)|End$/

interface Shape {
  readonly format?: string
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

/** Writes into the value that it is given; null for a schema without times. */
export type SpellTimes = ((value: unknown) => void) | null

const isTime = (schema: TSchema): boolean => {
  const { format, anyOf } = schema as Shape
  return format === 'date-time' || (anyOf ?? []).some(isTime)
}

/** Spells the members of an input that are one time each, however deep they lie. Compiled once per schema. */
export function spellTimesOf(schema: TSchema): SpellTimes {
  const { anyOf, items, properties = {} } = schema as Shape
  if (anyOf) {
    const inner = anyOf.map(spellTimesOf).filter((spell) => spell !== null)
    return inner.length === 1 ? inner[0]! : null
  }
  if (items) {
    const spell = spellTimesOf(items)
    return spell && ((value) => (Array.isArray(value) ? value.forEach(spell) : undefined))
  }
  const times = Object.keys(properties).filter((name) => isTime(properties[name]!))
  const deep = Object.entries(properties).flatMap(([name, member]) => {
    const spell = spellTimesOf(member)
    return spell ? [[name, spell] as const] : []
  })
  if (times.length + deep.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return
    const input = value as Record<string, unknown>
    for (const name of times) {
      const time = input[name]
      if (typeof time === 'string') input[name] = spellTime(time, ends.test(name) ? 'end' : 'start')
    }
    for (const [name, spell] of deep) spell(input[name])
  }
}
