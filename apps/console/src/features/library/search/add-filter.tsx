import { useState } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField, type Choice } from '../../../ui/field.tsx'
import {
  comparisonsOf,
  listFilterProperties,
  writeCondition,
  type Comparison,
  type FilterProperty,
} from './condition-text.ts'
import { itemTypes, type LibraryItemType, type LibrarySearch } from './library-search.ts'
import type { SearchChange } from './use-library-url.ts'
import layout from '../../../ui/layout.module.css'

const words = libraryTexts.search

/** Filters with a parameter of their own in the URL. */
const fixed = {
  from: { label: words.from, input: 'date' },
  to: { label: words.to, input: 'date' },
  cloud: { label: words.cloud, input: 'number' },
  type: { label: words.type, input: 'choice' },
} as const
type Fixed = keyof typeof fixed
const isFixed = (name: string): name is Fixed => Object.hasOwn(fixed, name)

const inputTypes = { text: 'text', number: 'number', time: 'date', flag: 'text' } as const
const typeChoices: readonly Choice[] = itemTypes.map((value) => ({ value, label: libraryTexts.types[value] }))
const flagChoices: readonly Choice[] = [
  { value: 'true', label: words.yes },
  { value: 'false', label: words.no },
]

const toChange = (name: Fixed, value: string): SearchChange => {
  if (name === 'cloud') return { cloud: Math.min(99.9, Math.max(0, Number(value))) }
  return name === 'type' ? { type: value as LibraryItemType } : { [name]: value }
}

/** Adds one filter: a common one, or a comparison with any property that the items have. */
export function AddFilter({ search, onAdd }: { search: LibrarySearch; onAdd: (change: SearchChange) => void }) {
  const queryables = useOperation('stac.queryables', {})
  const properties = queryables.data ? listFilterProperties(queryables.data) : []
  const [name, setName] = useState('from')
  const [comparison, setComparison] = useState<Comparison | null>(null)
  const [value, setValue] = useState('')
  const property = properties.find((one) => `:${one.name}` === name) ?? null
  const allowed = property ? comparisonsOf[property.kind] : []
  const chosen = comparison && allowed.includes(comparison) ? comparison : (allowed[0] ?? '=')
  const choices = isFixed(name) ? (name === 'type' ? typeChoices : []) : choicesOf(property, chosen)
  const entered = choices.length > 0 && !choices.some((choice) => choice.value === value) ? choices[0]!.value : value
  return (
    <form
      className={layout['columns']}
      onSubmit={(event) => {
        event.preventDefault()
        if (isFixed(name)) return onAdd(toChange(name, entered))
        if (!property) return
        const text = writeCondition(property, chosen, entered)
        onAdd({ where: [...new Set([...(search.where ?? []), text])] })
      }}
    >
      <SelectField
        label={words.property}
        value={name}
        onChange={(next) => {
          setName(next)
          setValue('')
        }}
        choices={[
          ...Object.entries(fixed).map(([key, { label }]) => ({ value: key, label })),
          ...properties.map((one) => ({ value: `:${one.name}`, label: one.name })),
        ]}
      />
      {allowed.length > 1 && (
        <SelectField
          label={words.comparison}
          value={chosen}
          onChange={(next) => setComparison(next as Comparison)}
          choices={allowed.map((one) => ({ value: one, label: words.comparisons[one] }))}
        />
      )}
      {choices.length > 0 ? (
        <SelectField label={words.value} value={entered} onChange={setValue} choices={choices} />
      ) : (
        <TextField
          label={words.value}
          type={isFixed(name) ? fixed[name].input : inputTypes[property?.kind ?? 'text']}
          {...(name === 'cloud' ? { min: 0, max: 99 } : {})}
          step="any"
          value={entered}
          onChange={setValue}
          required
        />
      )}
      <Button type="submit">{words.apply}</Button>
    </form>
  )
}

/** The values to choose from, where there are few. */
function choicesOf(property: FilterProperty | null, comparison: Comparison): readonly Choice[] {
  if (property?.kind === 'flag') return flagChoices
  if (comparison === 'contains') return []
  return (property?.values ?? []).map((value) => ({ value, label: value }))
}
