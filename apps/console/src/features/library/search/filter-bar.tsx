import { Code, ListFilterPlus, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { AddFilter } from './add-filter.tsx'
import { describeCondition } from './condition-text.ts'
import { CqlField } from './cql-field.tsx'
import styles from './filter-bar.module.css'
import { isFilterProblem } from './filter-problem.ts'
import { writeFilterText } from './filter-text.ts'
import { sortings, type LibrarySearch, type Sorting } from './library-search.ts'
import type { ItemSearchQuery } from './use-item-search.ts'
import type { SearchChange } from './use-library-url.ts'
import layout from '../../../ui/layout.module.css'

const words = libraryTexts.search
/** A search starts when nothing was typed for this time. */
const typing_ms = 250

export interface FilterBarProps {
  readonly search: LibrarySearch
  readonly onChange: (change: SearchChange) => void
  readonly found: ItemSearchQuery
}

export function FilterBar({ search, onChange, found }: FilterBarProps) {
  const [isAdding, setAdding] = useState(false)
  const [isText, setText] = useState(false)
  const { input, query } = found
  // A text that is wrong is shown, wherever it came from.
  const isWrong = input === null || isFilterProblem(query.error)
  return (
    <div className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`} role="search">
      <div className={layout['pair']}>
        <SearchField value={search.q ?? ''} onChange={(q) => onChange({ q })} />
        <SelectField
          label={words.sort}
          value={search.sort ?? 'added'}
          onChange={(sort) => onChange({ sort: sort === 'added' ? undefined : (sort as Sorting) })}
          choices={Object.keys(sortings).map((value) => ({ value, label: words.sortings[value as Sorting] }))}
        />
      </div>
      <div className={layout['chips']} role="group" aria-label={words.filters}>
        <Chips search={search} onChange={onChange} />
        <Button kind="quiet" icon={ListFilterPlus} aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          {words.add}
        </Button>
        <Button kind="quiet" icon={Code} aria-expanded={isText || isWrong} onClick={() => setText(!isText)}>
          {words.cql}
        </Button>
      </div>
      {isAdding && (
        <AddFilter
          search={search}
          onAdd={(change) => {
            onChange(change)
            setAdding(false)
          }}
        />
      )}
      {(isText || isWrong) && (
        <CqlField text={writeFilterText(search)} onApply={onChange} filter={input?.filter} error={query.error} />
      )}
    </div>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), typing_ms)
    return () => clearTimeout(timer)
    // A new function of the parent is not a new text.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [typed, value])
  return <TextField label={words.label} type="search" value={typed} onChange={setTyped} />
}

/** The filters that hold; each can be taken out. */
function Chips({ search, onChange }: Pick<FilterBarProps, 'search' | 'onChange'>) {
  const { from, to, cloud, type, where = [] } = search
  const chips: readonly (readonly [label: string, change: SearchChange])[] = [
    ...(from ? [[words.fromChip(formatDate(from)), { from: undefined }] as const] : []),
    ...(to ? [[words.toChip(formatDate(to)), { to: undefined }] as const] : []),
    ...(cloud === undefined ? [] : [[words.cloudChip(cloud), { cloud: undefined }] as const]),
    ...(type ? [[libraryTexts.types[type], { type: undefined }] as const] : []),
    ...where.map((text) => {
      const rest = where.filter((other) => other !== text)
      return [describeCondition(text), { where: rest.length > 0 ? rest : undefined }] as const
    }),
  ]
  return chips.map(([label, change]) => (
    <button
      key={label}
      type="button"
      className={`${layout['choice']} ${layout['raised']} ${styles['chip']}`}
      aria-label={words.remove(label)}
      title={words.remove(label)}
      onClick={() => onChange(change)}
    >
      {label}
      <X size={14} aria-hidden />
    </button>
  ))
}
