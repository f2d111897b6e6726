import type { CodingStyle } from './main-header.ts'
import { reduceBox } from './tile-geometry.ts'
import type { Box } from './tile-geometry.ts'

/** One packet: a layer of a precinct of a resolution of a component. */
export interface PacketPlace {
  readonly layer: number
  readonly resolution: number
  readonly component: number
  readonly precinct: number
}

/** A precinct, with its corner on the reference grid and the code-blocks of each of its bands. */
export interface Precinct {
  readonly resolution: number
  readonly index: number
  readonly x: number
  readonly y: number
  readonly bands: readonly (readonly [columns: number, rows: number])[]
}

/** The precincts of a tile (ISO 15444-1, B.6 and B.7), resolution by resolution, in rows. */
export function precinctsOf(tile: Box, style: CodingStyle): Precinct[][] {
  return style.precincts.map(([width, height], resolution) => {
    const halvings = style.levels - resolution
    const box = reduceBox(tile, halvings)
    if (box.right <= box.left || box.bottom <= box.top) return []
    const columns = cellsOf(box.left, box.right, width)
    const rows = cellsOf(box.top, box.bottom, height)
    const bands = bandsOf(tile, style.levels, resolution)
    return rows.flatMap((top, row) =>
      columns.map((left, column) => ({
        resolution,
        index: row * columns.length + column,
        x: left < box.left ? tile.left : left * 2 ** halvings,
        y: top < box.top ? tile.top : top * 2 ** halvings,
        bands: bands.map((band) => blocksIn(band, left, top, width, height, resolution, style)),
      })),
    )
  })
}

/** The edges of a partition's cells that touch a stretch. */
function cellsOf(from: number, to: number, exponent: number): number[] {
  const size = 2 ** exponent
  const first = Math.floor(from / size)
  return Array.from({ length: Math.ceil(to / size) - first }, (_, index) => (first + index) * size)
}

// B.5: the smallest resolution is one band; any other adds three, each a half of the lattice of the next larger picture.
function bandsOf(tile: Box, levels: number, resolution: number): Box[] {
  if (resolution === 0) return [reduceBox(tile, levels)]
  const halvings = levels - resolution + 1
  return [
    [1, 0],
    [0, 1],
    [1, 1],
  ].map(([right, down]) => {
    const shiftX = 2 ** (halvings - 1) * right!
    const shiftY = 2 ** (halvings - 1) * down!
    const { left, top, right: far, bottom } = tile
    return reduceBox({ left: left - shiftX, top: top - shiftY, right: far - shiftX, bottom: bottom - shiftY }, halvings)
  })
}

function blocksIn(
  band: Box,
  left: number,
  top: number,
  width: number,
  height: number,
  resolution: number,
  style: CodingStyle,
): readonly [number, number] {
  const half = resolution === 0 ? 0 : 1
  const across = blocksAlong(band.left, band.right, left / 2 ** half, width - half, style.blockWidth)
  const down = blocksAlong(band.top, band.bottom, top / 2 ** half, height - half, style.blockHeight)
  return [across, down]
}

function blocksAlong(from: number, to: number, cell: number, cellExponent: number, blockExponent: number): number {
  const start = Math.max(from, cell)
  const end = Math.min(to, cell + 2 ** cellExponent)
  const size = 2 ** Math.min(blockExponent, cellExponent)
  return end > start ? Math.ceil(end / size) - Math.floor(start / size) : 0
}

/** The packets of a tile in the order of one of the five progressions (B.12); all components are cut alike. */
export function* packetsInOrder(
  progression: number,
  layers: number,
  components: number,
  precincts: readonly (readonly Precinct[])[],
): Generator<PacketPlace> {
  const all = precincts.flat()
  const byPlace = all.toSorted((a, b) => a.y - b.y || a.x - b.x || a.resolution - b.resolution)
  if (progression === 0) {
    for (let layer = 0; layer < layers; layer++) {
      for (const list of precincts) yield* everyComponent(list, layer, components)
    }
  } else if (progression === 1) {
    for (const list of precincts) {
      for (let layer = 0; layer < layers; layer++) yield* everyComponent(list, layer, components)
    }
  } else if (progression === 2) {
    for (const precinct of all) yield* everyLayer([precinct], components, layers)
  } else if (progression === 3) {
    for (const group of groupsByPlace(byPlace)) yield* everyLayer(group, components, layers)
  } else {
    for (let component = 0; component < components; component++) {
      for (const precinct of byPlace) {
        for (let layer = 0; layer < layers; layer++) yield place(precinct, component, layer)
      }
    }
  }
}

function* everyComponent(list: readonly Precinct[], layer: number, components: number): Generator<PacketPlace> {
  for (let component = 0; component < components; component++) {
    for (const precinct of list) yield place(precinct, component, layer)
  }
}

function* everyLayer(group: readonly Precinct[], components: number, layers: number): Generator<PacketPlace> {
  for (let component = 0; component < components; component++) {
    for (const precinct of group) {
      for (let layer = 0; layer < layers; layer++) yield place(precinct, component, layer)
    }
  }
}

function* groupsByPlace(sorted: readonly Precinct[]): Generator<Precinct[]> {
  let group: Precinct[] = []
  for (const precinct of sorted) {
    const [first] = group
    if (first && (first.x !== precinct.x || first.y !== precinct.y)) {
      yield group
      group = []
    }
    group.push(precinct)
  }
  if (group.length > 0) yield group
}

function place({ resolution, index }: Precinct, component: number, layer: number): PacketPlace {
  return { layer, resolution, component, precinct: index }
}
