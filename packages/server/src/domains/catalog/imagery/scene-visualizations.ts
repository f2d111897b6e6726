import type { SceneVisualization } from '@swath/contract/schemas/catalog.ts'
import { indexBandsByCommonName, formatBandNotation } from '../../tiles/style/item-presets.ts'
import type { StyleParameters } from '../../tiles/style/render-style.ts'
import {
  normalizeBandRoles,
  listPresetsForBands,
  type BandNotation,
  type BandRoles,
} from '../../visualization/presets.ts'
import type { SceneImage } from './scene-image.ts'

interface ColourComposite {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The roles of the bands that are shown as red, green and blue. */
  readonly roles: readonly [string, string, string]
}

/** Composites beside true colour, of the bands that a scene may have. */
const composites: readonly ColourComposite[] = [
  {
    id: 'false-color',
    title: 'False colour',
    description: 'Near infrared, red and green: vegetation is red.',
    roles: ['nir', 'red', 'green'],
  },
  {
    id: 'shortwave-infrared',
    title: 'Shortwave infrared',
    description: 'Shortwave infrared, near infrared and red: burnt and dry soil is red.',
    roles: ['swir16', 'nir', 'red'],
  },
]

interface BandNaming {
  readonly roles: BandRoles
  /** The notation of bands in a band list, and in an expression. */
  readonly inList: BandNotation
  readonly inExpression: BandNotation
  /** The range of values of composites; null stretches them by their pixels. */
  readonly rescale: string | null
}

/** All visualizations for bands with these roles. */
export function listVisualizations({ roles, inList, inExpression, rescale }: BandNaming): SceneVisualization[] {
  const render_params = rescale === null ? {} : { rescale }
  const { visualizations } = listPresetsForBands(
    { band_roles: roles, data_type: 'raster', render_params, asset: null },
    inExpression,
  )
  const presets = visualizations.map((preset) => ({
    id: preset.id,
    title: preset.label,
    description: preset.description,
    bands: preset.bands?.map(inList).join(',') ?? null,
    expression: preset.expression,
    rescale: preset.rescale,
    colormap: preset.colormap,
  }))
  const bandByRole = normalizeBandRoles(roles)
  const others = composites.flatMap(({ roles: names, ...composite }): SceneVisualization[] => {
    const bands = names.flatMap((name) => bandByRole.get(name) ?? [])
    if (bands.length < names.length) return []
    return [{ ...composite, bands: bands.map(inList).join(','), expression: null, rescale, colormap: null }]
  })
  return [...presets, ...others]
}

/** The visualizations of scenes with bands of these common names, by which they refer to their bands. */
export function listFamilyVisualizations(names: readonly string[]): SceneVisualization[] {
  const roles = Object.fromEntries(names.map((name, index) => [name, index + 1]))
  const notation: BandNotation = (band) => names[band - 1]!
  return listVisualizations({ roles, inList: notation, inExpression: notation, rescale: null })
}

/** The style parameters of a visualization of a scene; null if the scene has no such visualization. */
export function findSceneVisualizationParameters(image: SceneImage, id: string): StyleParameters | null {
  const bands = image.bands.map(({ metadata }) => metadata)
  const rescale = image.collection?.render_params['rescale']
  const visualizations = listVisualizations({
    roles: indexBandsByCommonName(bands),
    inList: String,
    inExpression: (band) => formatBandNotation(bands[band - 1]!, band),
    rescale: typeof rescale === 'string' ? rescale : null,
  })
  const wanted = id.toLowerCase().replaceAll(/[\s_]/g, '-').replace('colour', 'color')
  return visualizations.find((visualization) => visualization.id === wanted) ?? null
}
