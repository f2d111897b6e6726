import { useMemo } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { measureInArea, type PartInArea } from './cover.ts'
import { cloudOf, footprintOf, type Scene } from './scenes.ts'

/** Measures the part of a scene inside the area; null without an area or a footprint. */
export type MeasurePart = (scene: Scene) => PartInArea | null

/** Each scene is measured once, when something first asks for it. */
export function useMeasurePart(area: AreaGeometry | null): MeasurePart {
  return useMemo(() => {
    const measured = new WeakMap<Scene, PartInArea | null>()
    return (scene) => {
      const known = measured.get(scene)
      if (known !== undefined) return known
      const footprint = footprintOf(scene)
      const part = area && footprint ? measureInArea(area, footprint, cloudOf(scene)) : null
      measured.set(scene, part)
      return part
    }
  }, [area])
}
