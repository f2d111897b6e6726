import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import styles from './explore.module.css'
import type { ExploreFilters } from './filters.ts'

export interface FilterFormProps {
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onSearch: () => void
  readonly isRunning: boolean
}

export function FilterForm({ filters, onChange, onSearch, isRunning }: FilterFormProps) {
  const sources = useOperation('catalog.sources.list', {})
  return (
    <form
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch()
      }}
    >
      <DateField
        label={texts.explore.from}
        value={filters.from}
        max={filters.to}
        onChange={(from) => onChange({ ...filters, from })}
      />
      <DateField
        label={texts.explore.to}
        value={filters.to}
        min={filters.from}
        onChange={(to) => onChange({ ...filters, to })}
      />
      <label>
        {texts.explore.host}
        <select
          value={filters.host ?? ''}
          onChange={({ target }) => onChange({ ...filters, host: target.value || null })}
        >
          <option value="">{texts.explore.allHosts}</option>
          {sources.data?.sources.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.explore.maxCloud} <output className="figures">{filters.maxCloud} %</output>
        <input
          type="range"
          min={0}
          max={100}
          step={5}
          value={filters.maxCloud}
          onChange={({ target }) => onChange({ ...filters, maxCloud: Number(target.value) })}
        />
      </label>
      <button type="submit" className={styles['search']} aria-busy={isRunning}>
        {isRunning ? texts.explore.searching : texts.explore.searchHere}
      </button>
    </form>
  )
}

interface DateFieldProps {
  readonly label: string
  /** ISO dates; null is open. */
  readonly value: string | null
  readonly min?: string | null
  readonly max?: string | null
  readonly onChange: (value: string | null) => void
}

function DateField({ label, value, min, max, onChange }: DateFieldProps) {
  return (
    <label>
      {label}
      <input
        type="date"
        value={value ?? ''}
        min={min ?? undefined}
        max={max ?? undefined}
        onChange={({ target }) => onChange(target.value || null)}
      />
    </label>
  )
}
