import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { readForm, type FieldFault, type InputField } from '../../../schema-form/schema-fields.ts'
import type { AnalyseChoices } from '../state/analyse-url.ts'
import type { ProcessFields } from './process-fields.ts'

/** The inputs of a form, and its missing fields. */
export interface ProcessInput {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly faults: Readonly<Record<string, FieldFault>>
}

/** The item of a field: the chosen one, else the one at the place of the field, else the first. */
export function itemOf(field: InputField, at: number, { items, values }: AnalyseChoices): string | undefined {
  const wanted = values[field.name]
  return wanted !== undefined && items.includes(wanted) ? wanted : (items[at] ?? items[0])
}

/** Reads a form; inputs without a value are left out, so that their defaults hold. */
export function readProcessInput(fields: ProcessFields, choices: AnalyseChoices): ProcessInput {
  const inputs: Record<string, unknown> = {}
  const faults: Record<string, FieldFault> = {}
  const take = (
    field: InputField | null,
    value: string | readonly string[] | AreaGeometry | null | undefined,
  ): void => {
    if (!field) return
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) inputs[field.name] = value
    else if (field.isRequired) faults[field.name] = 'required'
  }
  for (const [at, field] of fields.item.entries()) take(field, itemOf(field, at, choices))
  take(fields.items, choices.items)
  take(fields.area, choices.area)
  const rest = readForm([...fields.main, ...fields.more], choices.values)
  return { inputs: { ...inputs, ...rest.input }, faults: { ...faults, ...rest.faults } }
}
