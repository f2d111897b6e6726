import { Problem } from '../../../engine/problem.ts'
import type { GranulePoint } from './granule.ts'

/** A table of points of an unknown author. */
export interface GranulePointTable {
  readonly points: readonly GranulePoint[]
  readonly value_label: string
}

/** The reader of each file extension. */
export const pointTableReaders: Readonly<Record<string, (text: string) => GranulePointTable>> = {
  geojson: readGeojsonPoints,
  json: readGeojsonPoints,
  csv: readCsvPoints,
}

const unreadable = (reason: string): Problem => new Problem('upstream', `The granule ${reason}.`)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isPosition = (longitude: unknown, latitude: unknown): boolean =>
  Number.isFinite(longitude) && Number.isFinite(latitude) && Math.abs(latitude as number) <= 90

/** Point features; their value is the first property that is a number in the first feature that has one. */
function readGeojsonPoints(text: string): GranulePointTable {
  const document = parseJson(text)
  const features = isObject(document) && Array.isArray(document['features']) ? document['features'] : null
  if (!features) throw unreadable('is not a GeoJSON feature collection')
  const rows = features.flatMap((feature: unknown) => {
    const { geometry, properties } = isObject(feature) ? feature : {}
    if (!isObject(geometry) || geometry['type'] !== 'Point' || !Array.isArray(geometry['coordinates'])) return []
    const [longitude, latitude] = geometry['coordinates'] as unknown[]
    return isPosition(longitude, latitude)
      ? [
          {
            longitude: longitude as number,
            latitude: latitude as number,
            properties: isObject(properties) ? properties : {},
          },
        ]
      : []
  })
  const value_label = rows.flatMap(({ properties }) => firstNumber(properties) ?? [])[0] ?? ''
  const points = rows.flatMap(({ longitude, latitude, properties }): GranulePoint[] => {
    const value = properties[value_label]
    return typeof value === 'number' ? [[longitude, latitude, value]] : []
  })
  return { points, value_label }
}

const firstNumber = (properties: Record<string, unknown>): string | undefined =>
  Object.keys(properties).find((name) => typeof properties[name] === 'number')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable('is not JSON')
  }
}

const longitudeNames = ['longitude', 'lon', 'lng', 'x']
const latitudeNames = ['latitude', 'lat', 'y']

/** Rows with a header; the value is the first column, other than the position, that is a number in the first row. */
function readCsvPoints(text: string): GranulePointTable {
  const [header = '', ...lines] = text.split(/\r?\n/)
  const names = splitCells(header)
  const columnOf = (candidates: readonly string[]): number =>
    names.findIndex((name) => candidates.includes(name.toLowerCase()))
  const [x, y] = [columnOf(longitudeNames), columnOf(latitudeNames)]
  if (x < 0 || y < 0) throw unreadable('has no columns for longitude and latitude')
  const first = splitCells(lines[0] ?? '')
  const valueColumn = names.findIndex((_, index) => index !== x && index !== y && toNumber(first[index]) !== null)
  const points = lines.flatMap((line): GranulePoint[] => {
    const cells = splitCells(line)
    const [longitude, latitude, value] = [toNumber(cells[x]), toNumber(cells[y]), toNumber(cells[valueColumn])]
    return longitude !== null && latitude !== null && value !== null && isPosition(longitude, latitude)
      ? [[longitude, latitude, value]]
      : []
  })
  return { points, value_label: names[valueColumn] ?? '' }
}

const splitCells = (line: string): string[] => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

function toNumber(cell: string | undefined): number | null {
  const number = cell === undefined || cell === '' ? Number.NaN : Number(cell)
  return Number.isFinite(number) ? number : null
}
