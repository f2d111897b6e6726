import type { Map as MapLibreMap } from 'maplibre-gl'

/** While a person draws, a click is a corner and selects nothing. */
export function markDrawing(map: MapLibreMap, isDrawing: boolean): void {
  map.getContainer().dataset['drawing'] = String(isDrawing)
}

export const isDrawingOn = (map: MapLibreMap): boolean => map.getContainer().dataset['drawing'] === 'true'
