import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { BandFormula } from '../schemas/band-formula.ts'
import {
  ClearIfNull,
  WithDefault,
  OkResultWithId,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Uuid,
} from '../schemas/primitives.ts'

const Name = Type.String({ minLength: 2, maxLength: 50, description: 'Unique in the organization.' })
const Formula = Type.String({
  minLength: 3,
  maxLength: 2000,
  description: 'Band arithmetic, such as `(nir-red)/(nir+red)`.',
})
const ShortText = Type.String({ minLength: 1, maxLength: 200 })
const ValueRange = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Minimum and maximum.' })
const LongText = Type.String({ maxLength: limits.max_text_length })
const optionalText = OptionalNullable(LongText)

export const bandFormulasCreateOperation = operation({
  id: 'band_formulas.create',
  scope: 'band_formulas:write',
  permission: 'contribute',
  effect: 'compute',
  summary: 'Create a band formula in the organization.',
  input: StrictObject({
    name: Name,
    formula: Formula,
    display_name: optionalText,
    description: optionalText,
    colormap: WithDefault(ShortText, 'RdYlGn'),
    value_range: Type.Optional(ValueRange),
    category: WithDefault(ShortText, 'custom'),
  }),
  output: BandFormula,
  problems: ['name-taken'],
})

export const bandFormulasUpdateOperation = operation({
  id: 'band_formulas.update',
  scope: 'band_formulas:write',
  permission: 'contribute',
  effect: 'compute',
  summary: 'Update a band formula; templates are read-only.',
  input: StrictObject({
    formula_id: Uuid,
    name: KeepIfNull(Name),
    formula: KeepIfNull(Formula),
    display_name: ClearIfNull(LongText),
    description: ClearIfNull(LongText),
    colormap: KeepIfNull(ShortText),
    value_range: KeepIfNull(ValueRange),
    category: KeepIfNull(ShortText),
  }),
  output: BandFormula,
  problems: ['not-found', 'name-taken'],
})

export const bandFormulasDeleteOperation = operation({
  id: 'band_formulas.delete',
  scope: 'band_formulas:write',
  permission: 'contribute',
  effect: 'destructive',
  summary: 'Delete a band formula; templates cannot be deleted.',
  input: StrictObject({ formula_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found'],
})

export const bandFormulasGetOperation = operation({
  id: 'band_formulas.get',
  scope: 'band_formulas:read',
  effect: 'read',
  summary: 'Read a band formula.',
  input: StrictObject({ formula_id: Uuid }),
  output: Type.Object({ band_formula: BandFormula }),
  problems: ['not-found'],
})

export const bandFormulasListOperation = operation({
  id: 'band_formulas.list',
  scope: 'band_formulas:read',
  effect: 'read',
  summary: 'List the band formulas of the organization and, by default, the templates.',
  input: StrictObject({ category: OptionalNullable(ShortText), include_templates: WithDefault(Type.Boolean(), true) }),
  output: ListEnvelope('band_formulas', BandFormula),
})
