import { boxesMeet, geometriesMeet, meetsBox } from '@swath/geo/intersects.ts'
import { isBounds } from '@swath/geo/bbox.ts'
import { checkGeometry } from '@swath/geo/geojson.ts'
import type { HostSearch, PropertyBounds } from '../../../platform/outside/imagery-host.ts'
import { newestFirst, type DemoScene } from './demo-scenes.ts'

type Test = (scene: DemoScene) => boolean

const everything: Test = () => true
const nothing: Test = () => false

/** The scenes that match a search, from a list sorted newest first. */
export function searchScenes(scenes: readonly DemoScene[], search: HostSearch): readonly DemoScene[] {
  const { ids, collections, after, limit } = search
  const tests: readonly Test[] = [
    ids ? (scene) => ids.includes(scene.id) : everything,
    collections ? (scene) => collections.includes(scene.collection) : everything,
    after ? (scene) => newestFirst(after, scene) < 0 : everything,
    timeTest(search),
    boxTest(search.bbox),
    shapeTest(search.intersects),
    ...Object.entries(search.query ?? {}).map(([name, bounds]) => boundsTest(name, bounds)),
  ]
  return scenes.filter((scene) => tests.every((fits) => fits(scene))).slice(0, limit)
}

/** A scene with a time interval matches if the intervals intersect. */
function timeTest({ from, to }: HostSearch): Test {
  return (scene) => {
    const start = Date.parse(scene.start_datetime ?? scene.datetime)
    const end = Date.parse(scene.end_datetime ?? scene.datetime)
    return (!from || end >= from.getTime()) && (!to || start <= to.getTime())
  }
}

function boxTest(bbox: HostSearch['bbox']): Test {
  if (!bbox) return everything
  const box = bbox.length === 6 ? [bbox[0]!, bbox[1]!, bbox[3]!, bbox[4]!] : bbox
  if (!isBounds(box)) return nothing
  return (scene) => boxesMeet(scene.bbox, box) && meetsBox(scene.geometry, box)
}

function shapeTest(intersects: HostSearch['intersects']): Test {
  if (!intersects) return everything
  const { geometry } = checkGeometry(intersects)
  return geometry ? (scene) => geometriesMeet(scene.geometry, geometry) : nothing
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
function boundsTest(name: string, bounds: PropertyBounds): Test {
  const rows = (Object.keys(comparisons) as (keyof PropertyBounds)[]).flatMap((operator) => {
    const bound = bounds[operator]
    return bound === undefined ? [] : [{ holds: comparisons[operator], bound }]
  })
  return (scene) => {
    const value: unknown = Object.hasOwn(scene, name) ? scene[name as keyof DemoScene] : undefined
    if (typeof value !== 'number' && typeof value !== 'string') return false
    return rows.every(({ holds, bound }) => typeof bound === typeof value && holds(value, bound))
  }
}
