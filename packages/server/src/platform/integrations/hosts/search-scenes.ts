import { boundsIntersect, geometriesIntersect, intersectsBounds } from '@swath/geo/intersects.ts'
import { isValidBounds } from '@swath/geo/bbox.ts'
import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import type { HostScene, HostSearch, HostSearchPropertyBounds } from '../imagery-host.ts'

interface SceneOrderKey {
  readonly datetime: string
  readonly id: string
}

/** Sort order of catalogue lists: latest time first, then by id. */
export function compareNewestFirst(left: SceneOrderKey, right: SceneOrderKey): number {
  const difference_ms = Date.parse(right.datetime) - Date.parse(left.datetime)
  if (difference_ms !== 0) return difference_ms
  return left.id < right.id ? -1 : Number(left.id > right.id)
}

type ScenePredicate = (scene: HostScene) => boolean

const matchAll: ScenePredicate = () => true
const matchNone: ScenePredicate = () => false

/** The scenes that match a search, from a list sorted newest first. */
export function searchScenes(scenes: readonly HostScene[], search: HostSearch): readonly HostScene[] {
  const { ids, collections, after, limit } = search
  const wantedIds = ids && new Set(ids)
  const predicates: readonly ScenePredicate[] = [
    wantedIds ? (scene) => wantedIds.has(scene.id) : matchAll,
    collections ? (scene) => collections.includes(scene.collection) : matchAll,
    after ? (scene) => compareNewestFirst(after, scene) < 0 : matchAll,
    matchesTime(search),
    matchesBbox(search.bbox),
    matchesGeometry(search.intersects),
    createPropertyPredicate(search.query),
  ]
  const found: HostScene[] = []
  for (const scene of scenes) {
    if (found.length === limit) break
    if (predicates.every((predicate) => predicate(scene))) found.push(scene)
  }
  return found
}

const time_ms = (value: unknown, fallback: string): number => Date.parse(typeof value === 'string' ? value : fallback)

/** A scene with a time interval matches if the intervals intersect. */
function matchesTime({ from, to }: HostSearch): ScenePredicate {
  return ({ datetime, properties }) => {
    const start_ms = time_ms(properties['start_datetime'], datetime)
    const end_ms = time_ms(properties['end_datetime'], datetime)
    return (!from || end_ms >= from.getTime()) && (!to || start_ms <= to.getTime())
  }
}

function matchesBbox(bbox: HostSearch['bbox']): ScenePredicate {
  if (!bbox) return matchAll
  const box = bbox.length === 6 ? [bbox[0]!, bbox[1]!, bbox[3]!, bbox[4]!] : bbox
  if (!isValidBounds(box)) return matchNone
  return (scene) => boundsIntersect(scene.bbox, box) && intersectsBounds(scene.geometry as AreaGeometry, box)
}

function matchesGeometry(intersects: HostSearch['intersects']): ScenePredicate {
  if (!intersects) return matchAll
  const { geometry } = validateAreaGeometry(intersects)
  return geometry ? (scene) => geometriesIntersect(scene.geometry as AreaGeometry, geometry) : matchNone
}

type Comparison = (value: number | string, bound: number | string) => boolean

const comparisons: Readonly<Record<keyof HostSearchPropertyBounds, Comparison>> = {
  GT: (value, bound) => value > bound,
  GTE: (value, bound) => value >= bound,
  LT: (value, bound) => value < bound,
  LTE: (value, bound) => value <= bound,
  EQ: (value, bound) => value === bound,
}

/** Returns a predicate: the properties of a scene are within the bounds. */
export function createPropertyPredicate(query: HostSearch['query']): ScenePredicate {
  const predicates = Object.entries(query ?? {}).map(([name, bounds]) => matchesPropertyBounds(name, bounds))
  return (scene) => predicates.every((predicate) => predicate(scene))
}

/** A scene without the property, or with a value of another type than the bound, does not match. */
function matchesPropertyBounds(name: string, bounds: HostSearchPropertyBounds): ScenePredicate {
  const conditions = (Object.keys(comparisons) as (keyof HostSearchPropertyBounds)[]).flatMap((operator) => {
    const bound = bounds[operator]
    return bound === undefined ? [] : [{ holds: comparisons[operator], bound }]
  })
  return ({ properties }) => {
    const value: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (typeof value !== 'number' && typeof value !== 'string') return false
    return conditions.every(({ holds, bound }) => typeof bound === typeof value && holds(value, bound))
  }
}
