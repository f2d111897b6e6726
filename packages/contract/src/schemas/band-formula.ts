import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

const formulaFields = {
  name: Type.String(),
  display_name: Nullable(Type.String()),
  formula: Type.String({ description: 'Band arithmetic over band names.' }),
  description: Nullable(Type.String()),
  required_bands: Type.Array(Type.String()),
  colormap: Type.String(),
  value_range: Type.Array(Type.Number()),
  category: Type.String(),
}

/** A standard spectral index that the platform provides. */
export const BandFormulaTemplate = Type.Object(formulaFields)

/** A formula of an organization, or a read-only template. */
export const BandFormula = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  ...formulaFields,
  is_template: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type BandFormulaTemplate = Static<typeof BandFormulaTemplate>
export type BandFormula = Static<typeof BandFormula>
