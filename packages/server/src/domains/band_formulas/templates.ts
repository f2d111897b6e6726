import { createHash } from 'node:crypto'
import type { BandFormula, FormulaTemplate } from '@swath/contract/shapes/band-formula.ts'
import { indexBands, INDICES, type SpectralIndex } from '@swath/raster'

/** Templates belong to no organization. */
const nobody = '00000000-0000-0000-0000-000000000000'
const made_at = '2026-01-01T00:00:00.000Z'

/** A deterministic id for every deployment: a UUID of version 8 (RFC 9562) from the name. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`swath formula ${name}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}

const templateOf = (name: string, index: SpectralIndex): FormulaTemplate => ({
  name,
  display_name: index.title,
  formula: index.formula,
  description: `${index.needsReflectance ? 'For reflectances from 0 to 1. ' : ''}${index.source}`,
  required_bands: indexBands(index),
  colormap: index.colormap,
  value_range: [...index.range],
  category: index.group,
})

/** The spectral indices as formula templates, in the order of their table. */
export const formulaTemplates: readonly FormulaTemplate[] = [...INDICES].map(([name, index]) => templateOf(name, index))

/** The templates in the representation of formulas. */
export const templateFormulas: readonly BandFormula[] = formulaTemplates.map((template) => ({
  id: idOf(template.name),
  organization_id: nobody,
  ...template,
  is_template: true,
  created_at: made_at,
  updated_at: made_at,
}))

const byId = new Map(templateFormulas.map((template) => [template.id, template]))
const names = new Set(templateFormulas.map((template) => template.name))

export const findTemplate = (id: string): BandFormula | null => byId.get(id.toLowerCase()) ?? null

/** True for the name of a template, ignoring case. */
export const isTemplateName = (name: string): boolean => names.has(name.toLowerCase())
