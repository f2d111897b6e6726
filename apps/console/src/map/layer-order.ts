import type { Map as MapLibreMap } from 'maplibre-gl'

/** Marks the layers of drawings, which stay above pictures whichever comes first. */
export const drawingMetadata = { 'swath:drawing': true } as const

/** The lowest layer of a drawing; undefined without one, which means the top. */
export function findLowestDrawing(map: MapLibreMap): string | undefined {
  const layer = map.getStyle().layers.find(({ metadata }) => (metadata as Record<string, unknown> | undefined)?.['swath:drawing']) // prettier-ignore
  return layer?.id
}
