/** A feature of a vector tile: geometry in tile coordinates, ring by ring. */
export interface TileFeature {
  readonly id: number | null
  readonly kind: 'point' | 'line' | 'polygon'
  readonly geometry: [x: number, y: number][][]
  readonly properties: Readonly<Record<string, unknown>>
}

export interface TileLayer {
  readonly name: string
  readonly version: number
  readonly extent: number
  readonly features: TileFeature[]
}

interface Field {
  readonly number: number
  readonly value: number
  readonly bytes: Buffer
}

/** Parses the fields of a protocol buffer message: varints, and fixed-length or length-delimited bytes. */
function* parseFields(bytes: Buffer): Generator<Field> {
  let offset = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[offset++]!
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }
  while (offset < bytes.length) {
    const key = varint()
    const sizes: Record<number, () => number> = { 1: () => 8, 2: varint, 5: () => 4 }
    const isVarint = key % 8 === 0
    const value = isVarint ? varint() : sizes[key % 8]!()
    yield { number: key >> 3, value, bytes: isVarint ? Buffer.alloc(0) : bytes.subarray(offset, offset + value) }
    if (!isVarint) offset += value
  }
}

const parsePackedVarints = (bytes: Buffer): number[] => {
  const numbers: number[] = []
  let [value, factor] = [0, 1]
  for (const byte of bytes) {
    value += (byte & 0x7f) * factor
    factor *= 128
    if (byte >= 0x80) continue
    numbers.push(value)
    ;[value, factor] = [0, 1]
  }
  return numbers
}

const decodeZigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

function parseValue(bytes: Buffer): unknown {
  const [field] = parseFields(bytes)
  const readers: Record<number, (field: Field) => unknown> = {
    1: ({ bytes }) => bytes.toString(),
    2: ({ bytes }) => bytes.readFloatLE(),
    3: ({ bytes }) => bytes.readDoubleLE(),
    4: ({ value }) => value,
    5: ({ value }) => value,
    6: ({ value }) => decodeZigzag(value),
    7: ({ value }) => value === 1,
  }
  return readers[field!.number]!(field!)
}

function decodeGeometry(commands: readonly number[], kind: TileFeature['kind']): [number, number][][] {
  const parts: [number, number][][] = []
  let [x, y] = [0, 0]
  for (let offset = 0; offset < commands.length;) {
    const [command, count] = [commands[offset]! & 7, commands[offset]! >> 3]
    offset++
    if (command === 7) parts.at(-1)!.push(parts.at(-1)![0]!)
    for (let n = 0; n < count && command !== 7; n++, offset += 2) {
      x += decodeZigzag(commands[offset]!)
      y += decodeZigzag(commands[offset + 1]!)
      if (command === 1 && (kind !== 'point' || parts.length === 0)) parts.push([])
      parts.at(-1)!.push([x, y])
    }
  }
  return parts
}

function parseFeature(bytes: Buffer, keys: readonly string[], values: readonly unknown[]): TileFeature {
  const fields = [...parseFields(bytes)]
  const field = (number: number): Field | undefined => fields.find((one) => one.number === number)
  const tags = parsePackedVarints(field(2)?.bytes ?? Buffer.alloc(0))
  const kind = (['point', 'line', 'polygon'] as const)[field(3)!.value - 1]!
  const pairs = Array.from(
    { length: tags.length / 2 },
    (_, n) => [keys[tags[n * 2]!]!, values[tags[n * 2 + 1]!]] as const,
  )
  const geometry = decodeGeometry(parsePackedVarints(field(4)!.bytes), kind)
  return { id: field(1)?.value ?? null, kind, geometry, properties: Object.fromEntries(pairs) }
}

/** Parses the layers of a Mapbox Vector Tile according to specification 2.1. */
export function parseVectorTile(tile: Uint8Array): TileLayer[] {
  return [...parseFields(Buffer.from(tile))].map(({ bytes }) => {
    const fields = [...parseFields(bytes)]
    const all = (number: number): Field[] => fields.filter((one) => one.number === number)
    const keys = all(3).map(({ bytes }) => bytes.toString())
    const values = all(4).map(({ bytes }) => parseValue(bytes))
    return {
      name: all(1)[0]!.bytes.toString(),
      version: all(15)[0]!.value,
      extent: all(5)[0]!.value,
      features: all(2).map(({ bytes }) => parseFeature(bytes, keys, values)),
    }
  })
}
