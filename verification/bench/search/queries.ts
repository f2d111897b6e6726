import { day_ms } from '@swath/geo/time-units.ts'
import { createRandom } from '../../prove/harness/random.ts'
import { firstDay, chooseLandPosition, ten_years_ms } from './scenes.ts'

/** One search: its STAC body, and the parameters of the corresponding bare statement. */
export interface SearchQuery {
  /** Its kind. */
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  readonly values: readonly unknown[]
}

type CreateQuery = (random: () => number, count: number) => Omit<SearchQuery, 'name'>

const formatTime = (time: number): string => new Date(time).toISOString()
const compare = (op: string, property: string, value: unknown) => ({ op, args: [{ property }, value] })

function createInterval(random: () => number, days: number): [from: string, to: string] {
  const from = firstDay + Math.floor(random() * (ten_years_ms - days * day_ms))
  return [formatTime(from), formatTime(from + days * day_ms)]
}

function createBox(random: () => number, size: number): [number, number, number, number] {
  const [x, y] = chooseLandPosition(random).map((value) => Number(value.toFixed(4))) as [number, number]
  const west = Math.min(x, 180 - size)
  return [west, y, west + size, y + size]
}

/** A polygon of twelve corners, about six degrees wide. */
function createPolygon(random: () => number): object {
  const [x, y] = chooseLandPosition(random)
  const ring = Array.from({ length: 12 }, (_, index) => {
    const [angle, radius] = [(index * Math.PI) / 6, 2 + random()]
    return [Number((x + radius * Math.cos(angle)).toFixed(4)), Number((y + radius * Math.sin(angle)).toFixed(4))]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] }
}

interface SearchKind {
  readonly limit: number
  readonly make: CreateQuery
  /**
   * True if its statement is not prepared, because the best plan depends on the values: it is planned for each search.
   */
  readonly isPlanned?: boolean
}

/** Kinds of searches by name. Each created query has other values. */
export const queries: Readonly<Record<string, SearchKind>> = {
  'one id': {
    limit: 10,
    make: (random, count) => {
      // The kind does not follow from the number: exactly one of the three possible ids exists.
      const number = String(Math.floor(random() * count)).padStart(6, '0')
      const ids = ['multispectral', 'thermal', 'sharp'].map((name) => `${name}-${number}`)
      return { body: { ids }, values: [ids] }
    },
  },
  'one month': {
    limit: 10,
    make: (random) => {
      const [from, to] = createInterval(random, 30)
      return { body: { datetime: `${from}/${to}` }, values: [from, to] }
    },
  },
  polygon: {
    limit: 10,
    make: (random) => {
      const intersects = createPolygon(random)
      return { body: { intersects }, values: [JSON.stringify(intersects)] }
    },
  },
  'box of 10°': {
    limit: 10,
    make: (random) => {
      const bbox = createBox(random, 10)
      return { body: { bbox }, values: bbox }
    },
  },
  'box of 20° by 100°': {
    limit: 10,
    isPlanned: true,
    make: (random) => {
      const west = Math.floor(random() * 340) - 180
      const bbox: [number, number, number, number] = [west, -40, west + 20, 60]
      return { body: { bbox }, values: bbox }
    },
  },
  'box of 20°, a year, few clouds first': {
    limit: 10,
    make: (random) => {
      const [bbox, [from, to]] = [createBox(random, 20), createInterval(random, 365)]
      const filter = compare('<', 'eo:cloud_cover', 20)
      const sortby = [{ field: 'eo:cloud_cover', direction: 'asc' }]
      return { body: { bbox, datetime: `${from}/${to}`, filter, sortby }, values: [...bbox, from, to] }
    },
  },
  'box of 10°, 100 a page': {
    limit: 100,
    make: (random) => {
      const bbox = createBox(random, 10)
      return { body: { bbox }, values: bbox }
    },
  },
  'four properties, the world': {
    limit: 10,
    make: (random) => {
      const [sun, quality, cloud] = [random() * 60, Math.floor(random() * 90), random() * 80].map((value) =>
        Number(value.toFixed(3)),
      )
      const args = [
        compare('=', 'platform', 'sentinel-2a'),
        compare('>', 'view:sun_elevation', sun),
        { op: 'or', args: [compare('<', 'eo:cloud_cover', cloud), compare('>=', 'quality', quality)] },
      ]
      return { body: { filter: { op: 'and', args } }, values: [sun, cloud, quality] }
    },
  },
  'newest first, 1,000 a page': {
    limit: 1000,
    make: (random) => {
      const to = formatTime(firstDay + ten_years_ms - Math.floor(random() * 200 * day_ms))
      return { body: { datetime: `../${to}` }, values: [to] }
    },
  },
}

/** Creates searches of a kind, the same for the same seed; sorted newest first by default. */
export function createQueries(name: string, queryCount: number, count: number, seed: number): SearchQuery[] {
  const { make, limit } = queries[name]!
  const random = createRandom(seed)
  return Array.from({ length: queryCount }, () => {
    const { body, values } = make(random, count)
    return { name, body: { sortby: [{ field: 'datetime', direction: 'desc' }], ...body, limit }, values }
  })
}
