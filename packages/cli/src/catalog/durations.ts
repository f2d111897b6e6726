import { usageFailure } from '../failures.ts'

const seconds_by_unit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** A duration such as `90s`, `12h` or `30d`, in seconds. */
export function parseDuration(text: string, flag: string): number {
  const match = /^(\d+)\s*([smhdw])$/.exec(text)
  if (!match) throw usageFailure(`${flag} must be a duration such as 12h or 30d, not "${text}".`)
  return Number(match[1]) * seconds_by_unit[match[2]!]!
}
