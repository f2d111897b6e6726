/** A place with a name: a settlement, a country, or a province, state or region. */
export interface NamedPlace {
  readonly kind: PlaceKind
  readonly name: string
  /** ISO 3166-1, two letters; empty for none. */
  readonly country_code: string
  /** Zero where it is unknown. */
  readonly population: number
  readonly lon: number
  readonly lat: number
  /** West, south, east, north; null for settlements. */
  readonly bbox: readonly [number, number, number, number] | null
}

export const placeKinds = ['country', 'region', 'settlement'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** Names in the order of their folded form, each with the rank of its place; places by rank. */
export interface PlaceTable {
  readonly names: PlaceNameTable
  readonly places: readonly string[]
}

export interface PlaceNameTable {
  readonly count: number
  /** UTF-8, one after the other. */
  readonly text: Buffer
  /** The offset of each name in the text, and the end of the last one. */
  readonly starts: Uint32Array
  /** Position of the place of a name: larger places come first. */
  readonly ranks: Uint32Array
}

/** A name longer than this in UTF-8 is not stored. */
export const max_place_name_bytes = 255

/**
 * Writes the index: the lengths of names, the three bytes of their ranks each by itself, their text, and a line of JSON for
 * each place. It is meant to be compressed.
 *
 * @param names sorted by their folded form; names longer than `max_place_name_bytes` are an error.
 */
export function writePlaceFile(
  names: readonly (readonly [name: string, rank: number])[],
  places: readonly NamedPlace[],
): Buffer {
  const texts = names.map(([name]) => Buffer.from(name))
  if (texts.some(({ length }) => length > max_place_name_bytes)) throw new RangeError('a name is too long')
  const counts = Buffer.alloc(4)
  counts.writeUInt32LE(names.length)
  const byteOf = (shift: number): Buffer => Buffer.from(names.map(([, rank]) => (rank >> shift) & 0xff))
  return Buffer.concat([
    counts,
    Buffer.from(texts.map(({ length }) => length)),
    ...[0, 8, 16].map(byteOf),
    ...texts,
    Buffer.from(places.map(writePlace).join('\n')),
  ])
}

/** Reads what `writePlaceFile` wrote. The text is not copied. */
export function readPlaceFile(file: Buffer): PlaceTable {
  const count = file.readUInt32LE()
  const lengths = file.subarray(4, 4 + count)
  const [low, middle, high] = [1, 2, 3].map((column) => file.subarray(4 + column * count, 4 + (column + 1) * count))
  const starts = new Uint32Array(count + 1)
  const ranks = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    starts[at + 1] = starts[at]! + lengths[at]!
    ranks[at] = low![at]! | (middle![at]! << 8) | (high![at]! << 16)
  }
  const text_start = 4 + 4 * count
  const text = file.subarray(text_start, text_start + starts[count]!)
  const places = file.toString('utf8', text_start + starts[count]!).split('\n')
  return { names: { count, text, starts, ranks }, places }
}

/** Degrees with three decimals: a hundred metres. */
const round = (degrees: number): number => Math.round(degrees * 1000) / 1000

const writePlace = ({ kind, name, country_code, population, lon, lat, bbox }: NamedPlace): string =>
  [placeKinds.indexOf(kind), name, country_code, population, round(lon), round(lat), ...(bbox ?? []).map(round)].join(
    '\t',
  )

/** Reads a line of the table of places. */
export function parsePlaceLine(line: string): NamedPlace {
  const [kind, name, country_code, ...rest] = line.split('\t')
  const [population, lon, lat, ...bbox] = rest.map(Number)
  return {
    kind: placeKinds[Number(kind)]!,
    name: name!,
    country_code: country_code!,
    population: population!,
    lon: lon!,
    lat: lat!,
    bbox: bbox.length === 4 ? (bbox as [number, number, number, number]) : null,
  }
}
