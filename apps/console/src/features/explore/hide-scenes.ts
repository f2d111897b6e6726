import type { ExploreFilters } from './filters.ts'
import { cloudOf, creditsOf, gsdOf, hostOf, offNadirOf, timeOf, type Scene } from './scenes.ts'

type Test = (scene: Scene) => boolean

/** The filters that hide scenes of an answer: what each lets pass, or null if it is not set. */
const tests = {
  dates: ({ from, to }: ExploreFilters): Test | null =>
    from || to ? (scene) => isTakenBetween(scene, from, to) : null,
  host: ({ host }: ExploreFilters): Test | null => host ? (scene) => hostOf(scene) === host : null, // prettier-ignore
  maxCloud: ({ maxCloud }: ExploreFilters) => atMost(maxCloud, (scene) => cloudOf(scene) ?? 0),
  maxGsd: ({ maxGsd }: ExploreFilters) => atMost(maxGsd, (scene) => gsdOf(scene) ?? Infinity),
  maxOffNadir: ({ maxOffNadir }: ExploreFilters) => atMost(maxOffNadir, (scene) => offNadirOf(scene) ?? 0),
  maxCredits: ({ maxCredits }: ExploreFilters) => atMost(maxCredits, (scene) => creditsOf(scene) ?? Infinity),
} as const

export type HidingFilter = keyof typeof tests
const names = Object.keys(tests) as HidingFilter[]

const atMost = (most: number | null, measure: (scene: Scene) => number): Test | null =>
  most === null ? null : (scene) => measure(scene) <= most

/** A scene of which only an interval is known passes if the interval and the dates meet. */
function isTakenBetween(scene: Scene, from: string | null, to: string | null): boolean {
  const { start_datetime: start, end_datetime: end } = scene.properties
  const [first, last] = [start, end].map((time) => (typeof time === 'string' ? time : timeOf(scene))?.slice(0, 10))
  if (!first || !last) return false
  return (!from || last >= from) && (!to || first <= to)
}

const passes = (scene: Scene, filters: ExploreFilters, wanted: readonly HidingFilter[]): boolean =>
  wanted.every((name) => tests[name](filters)?.(scene) ?? true)

export const hideScenes = (scenes: readonly Scene[], filters: ExploreFilters): Scene[] =>
  scenes.filter((scene) => passes(scene, filters, names))

/** The scenes that the other filters than the dates let pass: what a histogram over time is drawn of. */
export const hideScenesOfAnyTime = (scenes: readonly Scene[], filters: ExploreFilters): Scene[] =>
  hideScenes(scenes, { ...filters, from: null, to: null })

/**
 * The filter without which most scenes would be shown, and how many more. Where only several together hide everything, the one
 * that hides most by itself. Null if none hides any.
 */
export function findHidingFilter(
  scenes: readonly Scene[],
  filters: ExploreFilters,
): { readonly name: HidingFilter; readonly count: number } | null {
  const shown = hideScenes(scenes, filters).length
  const countWith = (wanted: readonly HidingFilter[]): number =>
    scenes.filter((scene) => passes(scene, filters, wanted)).length
  const gains = names.map((name) => ({ name, count: countWith(names.filter((other) => other !== name)) - shown }))
  const losses = names.map((name) => ({ name, count: scenes.length - countWith([name]) }))
  const most = (list: typeof gains) => list.toSorted((left, right) => right.count - left.count)[0]!
  return [most(gains), most(losses)].find(({ count }) => count > 0) ?? null
}

/** The filters without one of them. */
export const dropFilter = (filters: ExploreFilters, name: HidingFilter): ExploreFilters =>
  name === 'dates' ? { ...filters, from: null, to: null } : { ...filters, [name]: null }
