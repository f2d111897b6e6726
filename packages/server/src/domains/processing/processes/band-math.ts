import Type from 'typebox'
import { spectralIndicesByName } from '@swath/raster'
import { planDerivedRaster } from './derived-raster.ts'
import type { PlannedItem, SourceItem } from '../process-definition.ts'
import { defineProcess } from '../process-definition.ts'
import {
  ProcessAreaInput,
  assetKeyInput,
  itemInput,
  requireProcessArea,
  ProcessScaledInput,
  titleInput,
} from '../process-inputs.ts'
import { resolveExpressionBands } from '../source-bands.ts'

const commonInputs = {
  ...itemInput,
  ...assetKeyInput,
  scaled: ProcessScaledInput,
  geometry: Type.Optional(ProcessAreaInput),
}

interface FormulaRequest {
  readonly expression: string
  /** The input that names the formula. */
  readonly path: string
  readonly label: string
  readonly title: string
  readonly asset_key: string | undefined
  readonly mapping?: Readonly<Record<string, string>>
  readonly scaled: boolean | undefined
  readonly geometry: unknown
}

function planFormula(source: SourceItem, request: FormulaRequest): PlannedItem {
  const { expression, path, label, title, asset_key, mapping, scaled = true, geometry } = request
  const area = geometry === undefined ? null : requireProcessArea(geometry, 'geometry')
  const { sources, bands } = resolveExpressionBands(source, expression, { asset_key, mapping, path })
  return planDerivedRaster(title, [source], {
    title: label,
    sources,
    process: { name: 'expression', expression, bands, label, scaled, ...(area ? { area } : {}) },
    bands: [{ name: label, common_name: null }],
    is_categorical: false,
  })
}

export const bandMathProcess = defineProcess({
  id: 'band-math',
  title: 'Band math',
  description: 'Computes one band from the bands of an item by an expression.',
  version: '1.1',
  category: 'analytics',
  inputs: Type.Object(
    {
      ...commonInputs,
      expression: Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'A formula over bands by name, common name or number, such as `(nir - red) / (nir + red)`.',
      }),
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Name of the band; default: value.' }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, expression, name = 'value', title, ...rest }, sources) => {
    const source = await sources.item(reference)
    const { asset_key, scaled, geometry } = rest
    const request = { expression, path: 'expression', label: name, asset_key, scaled, geometry }
    return [planFormula(source, { ...request, title: title ?? `${source.item.name} ${name}` })]
  },
})

export const spectralIndexProcess = defineProcess({
  id: 'spectral-index',
  title: 'Spectral index',
  description: 'Computes a known spectral index, such as NDVI, from the bands of an item by their common names.',
  version: '1.1',
  category: 'analytics',
  inputs: Type.Object(
    {
      ...commonInputs,
      index: Type.Enum([...spectralIndicesByName.keys()], {
        description: 'Which index, such as ndvi for vegetation or ndwi for water; the item must have its bands.',
      }),
      band_mapping: Type.Optional(
        Type.Record(Type.String({ maxLength: 100 }), Type.String({ minLength: 1, maxLength: 100 }), {
          description: 'Bands of the item for the common names in the formula, where their names differ.',
        }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, index, band_mapping, title, asset_key, scaled, geometry }, sources) => {
    const source = await sources.item(reference)
    const { formula, title: name, range, colormap } = spectralIndicesByName.get(index)!
    const request = { expression: formula, path: 'index', label: index, asset_key, scaled, geometry }
    const planned = planFormula(source, {
      ...request,
      mapping: band_mapping,
      title: title ?? `${source.item.name} ${index}`,
    })
    return [{ ...planned, style: { name, range, colormap } }]
  },
})
