import { useState, type FormEvent } from 'react'
import { auditTexts } from '../../../texts/audit.ts'
import { Button } from '../../../ui/button.tsx'
import { DateField } from '../../../ui/dates/date-field.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import type { AuditSearch } from './audit-search.ts'
import layout from '../../../ui/layout.module.css'

const words = auditTexts

const filterNames = ['operation', 'outcome', 'principal', 'from', 'until'] as const

const outcomes = [
  { value: '', label: words.anyOutcome },
  ...Object.entries(words.outcomes).map(([value, label]) => ({ value, label })),
]

/** The filters of the trail, which are applied together. */
export function AuditFilters({ search, onChange }: { search: AuditSearch; onChange: (search: AuditSearch) => void }) {
  const [draft, setDraft] = useState(search)
  const change = (part: AuditSearch): void => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onChange(Object.fromEntries(filterNames.flatMap((name) => (draft[name] ? [[name, draft[name]]] : []))))
  }
  return (
    <details className={layout['inset']} open={filterNames.some((name) => draft[name] !== undefined)}>
      <summary>{words.filters}</summary>
      <form className={layout['stack12']} onSubmit={submit}>
        <TextField
          label={words.operation}
          help={words.operationHelp}
          value={draft.operation ?? ''}
          onChange={(operation) => change({ operation })}
        />
        <SelectField
          label={words.outcome}
          value={draft.outcome ?? ''}
          onChange={(outcome) => change({ outcome })}
          choices={outcomes}
        />
        <TextField
          label={words.principal}
          value={draft.principal ?? ''}
          onChange={(principal) => change({ principal })}
        />
        <div className={layout['wrap']}>
          <DateField label={words.from} value={draft.from ?? ''} onChange={(from) => change({ from })} />
          <DateField label={words.until} value={draft.until ?? ''} onChange={(until) => change({ until })} />
        </div>
        <div>
          <Button type="submit">{words.apply}</Button>
        </div>
      </form>
    </details>
  )
}
