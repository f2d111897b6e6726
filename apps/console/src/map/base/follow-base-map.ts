import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'
import { watchChosenMap } from './base-map-control.ts'
import { markBase, readChosenMap, replaceBase, serverMap } from './base-maps.ts'
import { createBaseStyle } from './base-style.ts'
import { loadBaseStyle } from './load-base-style.ts'
import type { MapView } from '../map-view.ts'
import { addShaderPrograms } from '../shader-programs.ts'

/** The first style of a map: the map of the server, and nothing while another base map is loaded. */
export function createStartStyle(view: MapView | null): StyleSpecification {
  if (readChosenMap().id !== serverMap.id) return markBase({ version: 8, sources: {}, layers: [] })
  const style = createBaseStyle()
  return markBase(view ? addShaderPrograms(style, view) : style)
}

/** Draws the base map that was chosen, now and whenever another one is. Returns the function that ends it. */
export function followBaseMap(map: MapLibreMap): () => void {
  let shown = serverMap.id
  const show = async (): Promise<void> => {
    const chosen = readChosenMap()
    if (chosen.id === shown) return
    shown = chosen.id
    const style = await loadBaseStyle(chosen)
    // Another one was chosen, or the map was removed meanwhile.
    if (shown === chosen.id && map.style) map.setStyle(style, { transformStyle: replaceBase })
  }
  const showOrReport = (): void => void show().catch(reportError)
  showOrReport()
  return watchChosenMap(showOrReport)
}
