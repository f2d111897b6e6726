import { hostOf, sensorOf, timeOf, type Scene } from './scenes.ts'

/** Scenes that one satellite took in one pass over the region. */
export interface ScenePass {
  readonly id: string
  /** When the first of its scenes was taken; null if that is not known. */
  readonly time: string | null
  /** Null if it is not stated. */
  readonly sensor: string | null
  readonly scenes: readonly Scene[]
}

/** A pass over a region takes minutes, and the next one of the same satellite comes after an orbit of 90 minutes or more. */
const max_gap_ms = 30 * 60_000

/** Those without a date come last. */
const msOf = (scene: Scene): number => {
  const at_ms = Date.parse(timeOf(scene) ?? '')
  return Number.isNaN(at_ms) ? Infinity : at_ms
}

/** Groups a sorted list: a pass stands where its first scene does, and its scenes keep their order. */
export function groupByPass(scenes: readonly Scene[]): readonly ScenePass[] {
  const passes = new Map<Scene, string>()
  for (const [sensor, members] of Map.groupBy(scenes, (scene) => sensorOf(scene) ?? hostOf(scene))) {
    let [first_ms, last_ms] = [Number.NaN, Number.NaN]
    for (const scene of members.toSorted((left, right) => msOf(left) - msOf(right) || 0)) {
      const at_ms = msOf(scene)
      // Also for the first scene, and for one without a time.
      if (!(at_ms - last_ms <= max_gap_ms)) first_ms = at_ms
      last_ms = at_ms
      passes.set(scene, `${sensor} ${first_ms}`)
    }
  }
  return [...Map.groupBy(scenes, (scene) => passes.get(scene)!)].map(([id, members]) => ({
    id,
    time: members.reduce<string | null>((first, scene) => earlier(first, timeOf(scene)), null),
    sensor: sensorOf(members[0]!),
    scenes: members,
  }))
}

const earlier = (left: string | null, right: string | null): string | null =>
  left === null || (right !== null && right < left) ? right : left

/** A day in UTC on which scenes were taken. */
export interface SceneDay {
  /** As `2026-11-28`. */
  readonly date: string
  readonly count: number
}

/** The days that have scenes, the first one first. */
export const countDays = (scenes: readonly Scene[]): readonly SceneDay[] =>
  [...Map.groupBy(scenes, (scene) => timeOf(scene)?.slice(0, 10) ?? '')]
    .flatMap(([date, { length: count }]) => (date === '' ? [] : { date, count }))
    .toSorted((left, right) => (left.date < right.date ? -1 : 1))
