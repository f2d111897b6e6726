import type { ExploreFilters, Ownership } from './filters.ts'
import {
  cloudOf,
  creditsOf,
  gsdOf,
  hostOf,
  licenceOf,
  offNadirOf,
  sceneKey,
  sensorOf,
  sunElevationOf,
  timeOf,
  type Scene,
} from './scenes.ts'

/** Properties of scenes that they do not state themselves. */
export interface SceneFacts {
  /** Percent of the area; null without an area or a footprint. */
  readonly measureCover: (scene: Scene) => number | null
  /** Keys of scenes that the organization has bought. */
  readonly owned: ReadonlySet<string>
}

/** Whether a scene passes; null if it does not state the property. */
type Test = (scene: Scene) => boolean | null
type Measure = (scene: Scene) => number | null

/** The filters that hide scenes of an answer: what each lets pass, or null if it is not set. */
const tests = {
  dates: ({ from, to }: ExploreFilters) => (from || to ? (scene: Scene) => isTakenBetween(scene, from, to) : null),
  host: ({ host }: ExploreFilters) => equals(host, hostOf),
  sensor: ({ sensor }: ExploreFilters) => equals(sensor, sensorOf),
  licence: ({ licence }: ExploreFilters) => equals(licence, licenceOf),
  maxCloud: ({ maxCloud }: ExploreFilters) => atMost(maxCloud, cloudOf),
  maxGsd: ({ maxGsd }: ExploreFilters) => atMost(maxGsd, gsdOf),
  maxOffNadir: ({ maxOffNadir }: ExploreFilters) => atMost(maxOffNadir, offNadirOf),
  minSun: ({ minSun }: ExploreFilters) => atLeast(minSun, sunElevationOf),
  minCover: ({ area, minCover }: ExploreFilters, facts: SceneFacts) => atLeast(area && minCover, facts.measureCover),
  // A scene that is not offered has no price that could be accepted.
  maxCredits: ({ maxCredits }: ExploreFilters) => atMost(maxCredits, (scene) => creditsOf(scene) ?? Infinity),
  ownership: ({ ownership }: ExploreFilters, facts: SceneFacts) =>
    equals(ownership, (scene): Ownership => (facts.owned.has(sceneKey(scene)) ? 'owned' : 'new')),
} as const satisfies Readonly<Record<string, (filters: ExploreFilters, facts: SceneFacts) => Test | null>>

export type HidingFilter = keyof typeof tests
const names = Object.keys(tests) as HidingFilter[]

const equals = (wanted: string | null, read: (scene: Scene) => string | null): Test | null =>
  wanted === null ? null : compare(read, (value) => value === wanted)
const atMost = (most: number | null, measure: Measure): Test | null =>
  most === null ? null : compare(measure, (value) => value <= most)
const atLeast = (least: number | null, measure: Measure): Test | null =>
  least === null ? null : compare(measure, (value) => value >= least)

function compare<Value>(read: (scene: Scene) => Value | null, isWanted: (value: Value) => boolean): Test {
  return (scene) => {
    const value = read(scene)
    return value === null ? null : isWanted(value)
  }
}

/** A scene that states only an interval passes if the interval and the dates intersect. */
function isTakenBetween(scene: Scene, from: string | null, to: string | null): boolean | null {
  const { start_datetime: start, end_datetime: end } = scene.properties
  const [first, last] = [start, end].map((time) => (typeof time === 'string' ? time : timeOf(scene))?.slice(0, 10))
  return first && last ? (!from || last >= from) && (!to || first <= to) : null
}

/** Lists the filters that are set, with their tests. */
const listTests = (filters: ExploreFilters, facts: SceneFacts): { name: HidingFilter; test: Test }[] =>
  names.flatMap((name) => {
    const test = tests[name](filters, facts)
    return test ? [{ name, test }] : []
  })

export const listSetFilters = (filters: ExploreFilters, facts: SceneFacts): HidingFilter[] =>
  listTests(filters, facts).map(({ name }) => name)

/** The scenes that pass all filters; those that do not state a filtered property pass unless `isStated` is set. */
export function hideScenes(scenes: readonly Scene[], filters: ExploreFilters, facts: SceneFacts): Scene[] {
  const set = listTests(filters, facts)
  return scenes.filter((scene) => set.every(({ test }) => test(scene) ?? !filters.isStated))
}

/** The scenes that pass all filters but the dates, for a histogram over time. */
export const hideScenesOfAnyTime = (scenes: readonly Scene[], filters: ExploreFilters, facts: SceneFacts): Scene[] =>
  hideScenes(scenes, dropFilter(filters, 'dates'), facts)

/** The filters that are set and of which a scene does not state the value. */
export function listUnstated(filters: ExploreFilters, facts: SceneFacts): (scene: Scene) => HidingFilter[] {
  const set = listTests(filters, facts)
  return (scene) => set.flatMap(({ name, test }) => (test(scene) === null ? [name] : []))
}

/**
 * The filter without which most scenes would be shown, and how many more. Where only several together hide everything, the one
 * that hides most by itself. Null if none hides any.
 */
export function findHidingFilter(
  scenes: readonly Scene[],
  filters: ExploreFilters,
  facts: SceneFacts,
): { readonly name: HidingFilter; readonly count: number } | null {
  const set = listSetFilters(filters, facts)
  const countWith = (dropped: readonly HidingFilter[]): number =>
    hideScenes(scenes, dropped.reduce(dropFilter, filters), facts).length
  const shown = countWith([])
  const gains = set.map((name) => ({ name, count: countWith([name]) - shown }))
  const losses = set.map((name) => ({ name, count: scenes.length - countWith(set.filter((other) => other !== name)) }))
  const most = (list: typeof gains) => list.toSorted((left, right) => right.count - left.count)[0]
  return [most(gains), most(losses)].find((found) => found && found.count > 0) ?? null
}

/** The filters without one of them. */
export const dropFilter = (filters: ExploreFilters, name: HidingFilter): ExploreFilters =>
  name === 'dates' ? { ...filters, from: null, to: null } : { ...filters, [name]: null }
