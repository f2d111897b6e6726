import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { OrderFilters } from './order-filters.ts'
import { statusGroups, type StatusGroup } from './order-states.ts'
import styles from './orders.module.css'
import layout from '../../ui/layout.module.css'

const typing_ms = 300

interface OrderFilterFormProps {
  readonly filters: OrderFilters
  readonly onChange: (filters: OrderFilters) => void
}

/** The filters of the list; a change begins again at the first page. */
export function OrderFilterForm({ filters, onChange }: OrderFilterFormProps) {
  const projects = useOperation('projects.list', {})
  const { page: _, ...rest } = filters
  const set = (name: 'status' | 'project' | 'name', value: string): void => {
    const { [name]: __, ...others } = rest
    onChange(value === '' ? others : ({ ...others, [name]: value } as OrderFilters))
  }
  return (
    <form
      className={`${layout['wrap']} ${styles['filters']}`}
      aria-label={texts.orders.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label={texts.orders.status}
        value={filters.status ?? ''}
        onChange={(status) => set('status', status)}
        choices={[
          { value: '', label: texts.orders.all },
          ...(Object.keys(statusGroups) as StatusGroup[]).map((group) => ({
            value: group,
            label: texts.orders.groups[group],
          })),
        ]}
      />
      <SelectField
        label={texts.orders.project}
        value={filters.project ?? ''}
        onChange={(project) => set('project', project)}
        choices={[
          { value: '', label: texts.orders.allProjects },
          ...(projects.data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NameFilter value={filters.name ?? ''} onChange={(name) => set('name', name)} />
    </form>
  )
}

/** The name is searched for when the typing pauses. */
function NameFilter({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const [text, setText] = useState(value)
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  })
  // The URL changes without typing, too.
  useEffect(() => setText((current) => (current.trim() === value ? current : value)), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => report.current(text.trim()), typing_ms)
    return () => clearTimeout(timer)
  }, [text, value])
  return <TextField label={texts.orders.name} type="search" value={text} onChange={setText} />
}
