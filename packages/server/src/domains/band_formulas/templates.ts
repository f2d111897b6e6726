import { createHash } from 'node:crypto'
import type { BandFormula, BandFormulaTemplate } from '@swath/contract/schemas/band-formula.ts'
import { listSpectralIndexBands, spectralIndicesByName, type SpectralIndexDefinition } from '@swath/raster'

/** Templates belong to no organization. */
const nilOrganizationId = '00000000-0000-0000-0000-000000000000'
const templateCreatedAt = '2026-01-01T00:00:00.000Z'

/** A deterministic id for every deployment: a UUID of version 8 (RFC 9562) from the name. */
function templateId(name: string): string {
  const hex = createHash('sha256').update(`swath formula ${name}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}

const toTemplate = (name: string, index: SpectralIndexDefinition): BandFormulaTemplate => ({
  name,
  display_name: index.title,
  formula: index.formula,
  description: `${index.needsReflectance ? 'For reflectances from 0 to 1. ' : ''}${index.source}`,
  required_bands: listSpectralIndexBands(index),
  colormap: index.colormap,
  value_range: [...index.range],
  category: index.group,
})

/** The spectral indices as formula templates, in the order of their table. */
export const formulaTemplates: readonly BandFormulaTemplate[] = [...spectralIndicesByName].map(([name, index]) =>
  toTemplate(name, index),
)

/** The templates in the representation of formulas. */
export const bandFormulaTemplates: readonly BandFormula[] = formulaTemplates.map((template) => ({
  id: templateId(template.name),
  organization_id: nilOrganizationId,
  ...template,
  is_template: true,
  created_at: templateCreatedAt,
  updated_at: templateCreatedAt,
}))

const templateById = new Map(bandFormulaTemplates.map((template) => [template.id, template]))
const templateNames = new Set(bandFormulaTemplates.map((template) => template.name))

export const findFormulaTemplate = (id: string): BandFormula | null => templateById.get(id.toLowerCase()) ?? null

/** True for the name of a template, ignoring case. */
export const isTemplateName = (name: string): boolean => templateNames.has(name.toLowerCase())
