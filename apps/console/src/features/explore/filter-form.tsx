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
      <label>
        {texts.explore.from}
        <input
          type="date"
          value={filters.from ?? ''}
          max={filters.to ?? undefined}
          onChange={({ target }) => onChange({ ...filters, from: target.value || null })}
        />
      </label>
      <label>
        {texts.explore.to}
        <input
          type="date"
          value={filters.to ?? ''}
          min={filters.from ?? undefined}
          onChange={({ target }) => onChange({ ...filters, to: target.value || null })}
        />
      </label>
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
