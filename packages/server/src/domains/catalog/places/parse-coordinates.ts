// Node loads its CommonJS, which has all as the default.
// oxlint-disable-next-line import/default
import mgrs from 'mgrs'
import codes from 'open-location-code'

/** The notation by which a text was parsed as a position. */
export type CoordinateNotation = 'latitude, longitude' | 'longitude, latitude' | 'MGRS' | 'plus code'

export interface ParsedPosition {
  readonly lon: number
  readonly lat: number
  readonly reading: CoordinateNotation
}

/**
 * Reads a position that is written in one of the usual ways: decimal degrees, degrees with minutes and seconds, with or without
 * the letters of the directions, MGRS, or a full plus code. Two numbers that can be latitude and longitude in both orders have
 * both readings, latitude first. Empty for any other text.
 */
export function parseCoordinates(text: string): ParsedPosition[] {
  const plain = text.trim().toUpperCase()
  return [parseNumbers(plain), parseMgrs(plain), parsePlusCode(plain)].find((found) => found.length > 0) ?? []
}

/** A grid zone, a square, and two numbers of the same length. */
const grid = /^\d{1,2}[C-HJ-NP-X][A-HJ-NP-Z][A-HJ-NP-V](?:\d\d){0,5}$/

function parseMgrs(text: string): ParsedPosition[] {
  const compact = text.replaceAll(/\s/g, '')
  if (!grid.test(compact)) return []
  try {
    const [lon, lat] = mgrs.toPoint(compact)
    return [{ lon, lat, reading: 'MGRS' }]
  } catch {
    return []
  }
}

function parsePlusCode(text: string): ParsedPosition[] {
  const decoder = new codes.OpenLocationCode()
  if (!decoder.isFull(text)) return []
  const { longitudeCenter: lon, latitudeCenter: lat } = decoder.decode(text)
  return [{ lon, lat, reading: 'plus code' }]
}

/** A number with a comma for its decimals, as in much of the world, when another character separates the two numbers. */
const decimalCommas = /^([+-]?\d+),(\d+)\s*(?:[;/]|\s)\s*([+-]?\d+),(\d+)$/

function parseNumbers(text: string): ParsedPosition[] {
  const tokens = text
    .replace(decimalCommas, '$1.$2 $3.$4')
    .replaceAll(/LAT(?:ITUDE)?|LO?NG?(?:ITUDE)?|[=:()[\]]/g, ' ')
    .replaceAll('−', '-')
    .replaceAll(/[°º˚'’′"”″,;/]/g, ' ')
    .replaceAll(/([NSEW])/g, ' $1 ')
    .trim()
    .split(/\s+/)
  if (!tokens.every((token) => /^(?:[NSEW]|[+-]?\d{1,3}(?:\.\d+)?)$/.test(token))) return []
  return tokens.some(isDirection) ? parseDirected(tokens) : parseUndirected(tokens.map(Number))
}

const isDirection = (token: string): boolean => /^[NSEW]$/.test(token)

/** Two groups of numbers, each with its direction before or after it. */
function parseDirected(tokens: readonly string[]): ParsedPosition[] {
  const isBefore = isDirection(tokens[0]!)
  const ordered = isBefore ? tokens : tokens.toReversed()
  const groups: { direction: string; numbers: number[] }[] = []
  for (const token of ordered) {
    if (isDirection(token)) groups.push({ direction: token, numbers: [] })
    else groups.at(-1)?.numbers.push(Number(token))
  }
  const [latitudes, longitudes] = ['NS', 'EW'].map((axis) => groups.filter(({ direction }) => axis.includes(direction)))
  if (latitudes!.length !== 1 || longitudes!.length !== 1 || groups.length !== 2) return []
  const [lat, lon] = [latitudes![0]!, longitudes![0]!].map(({ direction, numbers }) => {
    const degrees = toDegrees(isBefore ? numbers : numbers.toReversed())
    return degrees < 0 ? NaN : 'SW'.includes(direction) ? -degrees : degrees
  })
  const isLatitudeFirst = (groups[0] === latitudes![0]) === isBefore
  return isPosition(lon!, lat!) ? [{ lon: lon!, lat: lat!, reading: isLatitudeFirst ? 'latitude, longitude' : 'longitude, latitude' }] : [] // prettier-ignore
}

/** Two numbers, or two times degrees and minutes, or degrees, minutes and seconds. */
function parseUndirected(numbers: readonly number[]): ParsedPosition[] {
  if (![2, 4, 6].includes(numbers.length)) return []
  const half = numbers.length / 2
  const [first, second] = [toDegrees(numbers.slice(0, half)), toDegrees(numbers.slice(half))]
  const readings: ParsedPosition[] = [
    { lat: first, lon: second, reading: 'latitude, longitude' },
    { lat: second, lon: first, reading: 'longitude, latitude' },
  ]
  return readings.filter(({ lon, lat }) => isPosition(lon, lat))
}

/** Degrees of degrees, minutes and seconds; NaN for sixty minutes and more. */
function toDegrees([degrees = NaN, minutes = 0, seconds = 0, ...rest]: readonly number[]): number {
  const isValid = rest.length === 0 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60
  const size = Math.abs(degrees) + minutes / 60 + seconds / 3600
  return !isValid ? NaN : degrees < 0 || Object.is(degrees, -0) ? -size : size
}

const isPosition = (lon: number, lat: number): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90
