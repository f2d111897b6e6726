import type { TSchema } from 'typebox'
import { editMembersOf, isOfFormat, type Edit, type MemberSchemas, type ObjectEdit } from './edit-members.ts'

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

/** Spells the members of an input that are one time each, however deep they lie. Compiled once per schema. */
export const spellTimesOf = (schema: TSchema): Edit => editMembersOf(schema, spellOf)

function spellOf({ properties }: MemberSchemas): ObjectEdit {
  const times = Object.keys(properties).filter((name) => isOfFormat(properties[name]!, 'date-time'))
  if (times.length === 0) return null
  return (members) => {
    for (const name of times) {
      const time = members[name]
      if (typeof time === 'string') members[name] = spellTime(time, ends.test(name) ? 'end' : 'start')
    }
  }
}
