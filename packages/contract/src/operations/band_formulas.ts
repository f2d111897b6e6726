import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { BandFormula } from '../shapes/band-formula.ts'
import { ClearedByNull, Default, DoneWithId, Input, KeptByNull, Maybe, Uuid } from '../shapes/primitives.ts'

const Name = Type.String({ minLength: 2, maxLength: 50, description: 'Unique in the organization.' })
const Formula = Type.String({
  minLength: 3,
  maxLength: 2000,
  description: 'Band arithmetic, such as `(nir-red)/(nir+red)`.',
})
const Word = Type.String({ minLength: 1, maxLength: 200 })
const ValueRange = Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Minimum and maximum.' })
const Text = Type.String({ maxLength: limits.text_length })
const text = Maybe(Text)

export const bandFormulasCreate = operation({
  id: 'band_formulas.create',
  scope: 'band_formulas:write',
  effect: 'compute',
  summary: 'Create a band formula in the organization.',
  input: Input({
    name: Name,
    formula: Formula,
    display_name: text,
    description: text,
    colormap: Default(Word, 'RdYlGn'),
    value_range: Type.Optional(ValueRange),
    category: Default(Word, 'custom'),
  }),
  output: BandFormula,
  problems: ['name-taken'],
  answered: true,
})

export const bandFormulasUpdate = operation({
  id: 'band_formulas.update',
  scope: 'band_formulas:write',
  effect: 'compute',
  summary: 'Update a band formula; templates are read-only.',
  input: Input({
    formula_id: Uuid,
    name: KeptByNull(Name),
    formula: KeptByNull(Formula),
    display_name: ClearedByNull(Text),
    description: ClearedByNull(Text),
    colormap: KeptByNull(Word),
    value_range: KeptByNull(ValueRange),
    category: KeptByNull(Word),
  }),
  output: BandFormula,
  problems: ['not-found', 'name-taken', 'forbidden'],
  answered: true,
})

export const bandFormulasDelete = operation({
  id: 'band_formulas.delete',
  scope: 'band_formulas:write',
  effect: 'destructive',
  summary: 'Delete a band formula; templates cannot be deleted.',
  input: Input({ formula_id: Uuid }),
  output: DoneWithId,
  problems: ['not-found', 'forbidden'],
  answered: true,
})

export const bandFormulasGet = operation({
  id: 'band_formulas.get',
  scope: 'band_formulas:read',
  effect: 'read',
  summary: 'Read a band formula.',
  input: Input({ formula_id: Uuid }),
  output: Type.Object({ band_formula: BandFormula }),
  problems: ['not-found'],
  answered: true,
})

export const bandFormulasList = operation({
  id: 'band_formulas.list',
  scope: 'band_formulas:read',
  effect: 'read',
  summary: 'List the band formulas of the organization and, by default, the templates.',
  input: Input({ category: Maybe(Word), include_templates: Default(Type.Boolean(), true) }),
  output: List('band_formulas', BandFormula),
  answered: true,
})
