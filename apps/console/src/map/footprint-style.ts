import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { accentColour } from './base/base-style.ts'

const fillOpacity: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'hovered'], false], 0.3, ['boolean', ['feature-state', 'selected'], false], 0.2, 0.06] // prettier-ignore
const lineWidth: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'selected'], false], 2.5, ['boolean', ['feature-state', 'hovered'], false], 2, 1] // prettier-ignore
const dotRadius: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'hovered'], false], 8, ['boolean', ['feature-state', 'selected'], false], 7, 5] // prettier-ignore
const dotStroke: ExpressionSpecification = ['case', ['boolean', ['feature-state', 'selected'], false], 3, 1]

/**
 * Layers of a source of footprints and of the source of their dots, whose id ends with `-dots`.
 *
 * @param isFilled false draws outlines only.
 */
export function createFootprintLayers(id: string, isFilled: boolean): LayerSpecification[] {
  const colour: ExpressionSpecification = ['coalesce', ['get', 'colour'], accentColour()]
  return [
    {
      id: `${id}-fill`,
      type: 'fill',
      source: id,
      paint: {
        // The line is drawn by its own layer.
        'fill-antialias': false,
        'fill-color': colour,
        'fill-opacity': isFilled ? fillOpacity : 0,
      },
    },
    { id: `${id}-line`, type: 'line', source: id, paint: { 'line-color': colour, 'line-width': lineWidth } },
    {
      id: `${id}-dot`,
      type: 'circle',
      source: `${id}-dots`,
      // From here on footprints are large enough to be seen.
      maxzoom: 7,
      paint: {
        'circle-color': colour,
        'circle-radius': dotRadius,
        'circle-opacity': 0.85,
        'circle-stroke-color': '#ffffff',
        'circle-stroke-width': dotStroke,
      },
    },
  ]
}
