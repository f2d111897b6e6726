import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { readStored, writeStored } from '../api/storage.ts'

const key = 'swath.areas'

export type SavedAreas = Readonly<Record<string, AreaGeometry>>

/** Areas by name, saved in this browser; invalid ones are left out. */
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

export const saveArea = (name: string, area: AreaGeometry): SavedAreas =>
  writeAreas({ ...readSavedAreas(), [name]: area })

export const deleteArea = (name: string): SavedAreas =>
  writeAreas(Object.fromEntries(Object.entries(readSavedAreas()).filter(([other]) => other !== name)))

function writeAreas(areas: SavedAreas): SavedAreas {
  writeStored(key, JSON.stringify(areas))
  return areas
}
