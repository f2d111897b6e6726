import type { HostGrid, HostQuicklook } from '../imagery-host.ts'

type Fields = Readonly<Record<string, unknown>>
type Corners = HostGrid['corners']

/**
 * The rectangle that fields of the STAC projection extension describe: `proj:transform` with `proj:shape`, else `proj:bbox`,
 * in the reference system of `proj:code` or `proj:epsg`, which an asset may leave to its item. Null without them.
 */
export function readProjectionGrid(fields: Fields, item: Fields): HostGrid | null {
  const corners = cornersOfTransform(fields) ?? cornersOfBox(fields)
  const epsg = corners && (readEpsg(fields) ?? readEpsg(item))
  return corners && epsg ? { epsg, corners } : null
}

function readEpsg(fields: Fields): number | null {
  const code = /^EPSG:(\d{4,6})$/i.exec(String(fields['proj:code'] ?? ''))?.[1]
  const epsg = code === undefined ? fields['proj:epsg'] : Number(code)
  return typeof epsg === 'number' && Number.isInteger(epsg) && epsg > 0 && epsg < 1_000_000 ? epsg : null
}

/** The first numbers of a list; null if there are fewer. */
function readNumbers(value: unknown, count: number): readonly number[] | null {
  const numbers = Array.isArray(value) ? value.slice(0, count).filter((number) => Number.isFinite(number)) : []
  return numbers.length === count ? (numbers as number[]) : null
}

/** Column and row to x and y: `[a, b, c, d, e, f]` with x = a column + b row + c and y = d column + e row + f. */
function cornersOfTransform(fields: Fields): Corners | null {
  const transform = readNumbers(fields['proj:transform'], 6)
  const shape = readNumbers(fields['proj:shape'], 2)
  if (!transform || !shape || shape.some((size) => size < 1)) return null
  const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number]
  const [height, width] = shape as [number, number]
  const corner = (column: number, row: number) => [a * column + b * row + c, d * column + e * row + f] as const
  return [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)]
}

function cornersOfBox(fields: Fields): Corners | null {
  const box = readNumbers(fields['proj:bbox'], 4)
  if (!box) return null
  const [west, south, east, north] = box as [number, number, number, number]
  return west < east && south < north
    ? [
        [west, north],
        [east, north],
        [east, south],
        [west, south],
      ]
    : null
}

/** The grids of a quicklook that the host states. */
export const findQuicklookGrids = ({
  grid,
  scene_grid,
}: {
  readonly grid: HostGrid | null
  readonly scene_grid: HostGrid | null
}): Pick<HostQuicklook, 'grid' | 'scene_grid'> => ({
  ...(grid ? { grid } : {}),
  ...(scene_grid ? { scene_grid } : {}),
})
