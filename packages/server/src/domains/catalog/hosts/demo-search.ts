import { boundsIntersect, geometriesIntersect, intersectsBounds } from '@swath/geo/intersects.ts'
import { isValidBounds } from '@swath/geo/bbox.ts'
import { validateAreaGeometry } from '@swath/geo/geojson.ts'
import type { HostSearch, PropertyBounds } from '../../../platform/integrations/imagery-host.ts'
import { compareNewestFirst, type DemoScene } from './demo-scenes.ts'

type ScenePredicate = (scene: DemoScene) => boolean

const matchAll: ScenePredicate = () => true
const matchNone: ScenePredicate = () => false

/** The scenes that match a search, from a list sorted newest first. */
export function searchDemoScenes(scenes: readonly DemoScene[], search: HostSearch): readonly DemoScene[] {
  const { ids, collections, after, limit } = search
  const predicates: readonly ScenePredicate[] = [
    ids ? (scene) => ids.includes(scene.id) : matchAll,
    collections ? (scene) => collections.includes(scene.collection) : matchAll,
    after ? (scene) => compareNewestFirst(after, scene) < 0 : matchAll,
    matchesTime(search),
    matchesBbox(search.bbox),
    matchesGeometry(search.intersects),
    ...Object.entries(search.query ?? {}).map(([name, bounds]) => matchesPropertyBounds(name, bounds)),
  ]
  return scenes.filter((scene) => predicates.every((predicate) => predicate(scene))).slice(0, limit)
}

/** A scene with a time interval matches if the intervals intersect. */
function matchesTime({ from, to }: HostSearch): ScenePredicate {
  return (scene) => {
    const start = Date.parse(scene.start_datetime ?? scene.datetime)
    const end = Date.parse(scene.end_datetime ?? scene.datetime)
    return (!from || end >= from.getTime()) && (!to || start <= to.getTime())
  }
}

function matchesBbox(bbox: HostSearch['bbox']): ScenePredicate {
  if (!bbox) return matchAll
  const box = bbox.length === 6 ? [bbox[0]!, bbox[1]!, bbox[3]!, bbox[4]!] : bbox
  if (!isValidBounds(box)) return matchNone
  return (scene) => boundsIntersect(scene.bbox, box) && intersectsBounds(scene.geometry, box)
}

function matchesGeometry(intersects: HostSearch['intersects']): ScenePredicate {
  if (!intersects) return matchAll
  const { geometry } = validateAreaGeometry(intersects)
  return geometry ? (scene) => geometriesIntersect(scene.geometry, geometry) : matchNone
}

type Comparison = (value: number | string, bound: number | string) => boolean

const comparisons: Readonly<Record<keyof PropertyBounds, Comparison>> = {
  GT: (value, bound) => value > bound,
  GTE: (value, bound) => value >= bound,
  LT: (value, bound) => value < bound,
  LTE: (value, bound) => value <= bound,
  EQ: (value, bound) => value === bound,
}

/** A scene without the property, or with a value of another type than the bound, does not match. */
function matchesPropertyBounds(name: string, bounds: PropertyBounds): ScenePredicate {
  const conditions = (Object.keys(comparisons) as (keyof PropertyBounds)[]).flatMap((operator) => {
    const bound = bounds[operator]
    return bound === undefined ? [] : [{ holds: comparisons[operator], bound }]
  })
  return (scene) => {
    const value: unknown = Object.hasOwn(scene, name) ? scene[name as keyof DemoScene] : undefined
    if (typeof value !== 'number' && typeof value !== 'string') return false
    return conditions.every(({ holds, bound }) => typeof bound === typeof value && holds(value, bound))
  }
}
