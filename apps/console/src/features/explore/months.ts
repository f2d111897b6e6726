import { timeOf, type Scene } from './scenes.ts'

export interface MonthCount {
  /** `2026-03` */
  readonly month: string
  readonly count: number
}

/** Scenes of each month that has one, the earliest first. */
export function countMonths(scenes: readonly Scene[]): MonthCount[] {
  const counts = Map.groupBy(scenes, (scene) => timeOf(scene)?.slice(0, 7) ?? '')
  return [...counts]
    .filter(([month]) => month !== '')
    .map(([month, group]) => ({ month, count: group.length }))
    .toSorted((left, right) => left.month.localeCompare(right.month))
}

/** The first and the last day of a month. */
export function monthDays(month: string): [from: string, to: string] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return [`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)]
}

/** `03/26`, for a narrow bar. */
export const shortMonth = (month: string): string => `${month.slice(5)}/${month.slice(2, 4)}`
