import { unzipSync } from 'fflate'
import proj4 from 'proj4'
import { readShapefile, type Rings, type ToDegrees } from './area-shapefile.ts'
import { max_text_bytes, readArea, toReading, type AreaReading } from './area-text.ts'

/** Members that may say an area, by the end of their name; the first kind that is there is read. */
const kinds = ['.shp', '.kml', '.geojson', '.json'] as const
const max_unpacked_bytes = 2 * max_text_bytes
const max_projection_bytes = 20_000

/**
 * Reads an area from a zipped shapefile, from KMZ, or from a zipped text. Files that are longer than the limit of a
 * text are not unpacked; fflate writes no more than the size that the archive states. Never throws.
 */
export function readArchive(archive: Uint8Array): AreaReading {
  try {
    return readMembers(unpackMembers(archive))
  } catch {
    return { area: null, error: 'unreadable-archive' }
  }
}

type Members = ReadonlyMap<string, Uint8Array>

function unpackMembers(archive: Uint8Array): Members {
  let left_bytes = max_unpacked_bytes
  const isWanted = (name: string): boolean =>
    !name.startsWith('__MACOSX') && ([...kinds, '.prj'] as const).some((end) => name.toLowerCase().endsWith(end))
  const unpacked = unzipSync(archive, {
    filter: ({ name, originalSize }) => {
      if (!isWanted(name) || originalSize > max_text_bytes || originalSize > left_bytes) return false
      left_bytes -= originalSize
      return true
    },
  })
  return new Map(Object.entries(unpacked).map(([name, bytes]) => [name.toLowerCase(), bytes]))
}

function readMembers(members: Members): AreaReading {
  for (const end of kinds) {
    const names = [...members.keys()].filter((name) => name.endsWith(end))
    if (names.length === 0) continue
    if (end !== '.shp') return readArea(decode(members.get(names[0]!)!))
    return toReading(names.flatMap((name) => readLayer(members, name)))
  }
  return { area: null, error: 'no-area-in-archive' }
}

function readLayer(members: Members, name: string): Rings[] {
  const bytes = members.get(name)!
  const projection = members.get(name.replace(/shp$/, 'prj'))
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (
    readShapefile(file, toDegreesOf(projection ? decode(projection.subarray(0, max_projection_bytes)) : null)) ?? []
  )
}

/** Without a description of their system, coordinates are degrees. */
function toDegreesOf(projection: string | null): ToDegrees {
  return projection === null ? (position) => position : proj4(projection).inverse
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
