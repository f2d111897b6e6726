import type { TSchema } from 'typebox'
import { editMembersOf, isOfFormat, type Edit, type MemberSchemas, type ObjectEdit } from './edit-members.ts'

/** Which end of its day a date without a time stands for. */
export type Edge = 'start' | 'end'

const day = /^\d{4}-\d\d-\d\d$/
const zoneless = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:[.,]\d+)?$/

/**
 * Converts a time to RFC 3339: without an offset it is UTC, and a date alone is the first or last millisecond of its day.
 * Any other text is returned unchanged.
 */
export function spellTime(text: string, edge: Edge): string {
  if (day.test(text)) return edge === 'start' ? `${text}T00:00:00.000Z` : `${text}T23:59:59.999Z`
  return zoneless.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Names of fields that end an interval: `to`, `end_datetime`, `acquisitionEnd`, `expires_at`. */
const ends = /^(to|expires_at)$|(^|_)end(_|$)|End$/

/** Compiles a transform that normalizes the date-time members of an input, at any depth. */
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
