import { validateAreaGeometry, type AreaGeometry } from '@swath/geo/geojson.ts'
import { readStored, writeStored } from '../api/storage.ts'

const key = 'swath.areas'

export type SavedAreas = Readonly<Record<string, AreaGeometry>>

/** Areas by name, saved in this browser; what is not a valid area is left out. */
export function readSavedAreas(): SavedAreas {
  try {
    const stored = JSON.parse(readStored(key) ?? '{}') as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(stored).flatMap(([name, value]) => {
        const { geometry } = validateAreaGeometry(value)
        return geometry ? [[name, geometry] as const] : []
      }),
    )
  } catch {
    return {}
  }
}

export function saveArea(name: string, area: AreaGeometry): SavedAreas {
  const areas = { ...readSavedAreas(), [name]: area }
  writeStored(key, JSON.stringify(areas))
  return areas
}
