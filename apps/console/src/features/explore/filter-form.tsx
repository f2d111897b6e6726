import { useOperation } from '../../api/use-operation.ts'
import { AreaTools } from '../../area/area-tools.tsx'
import type { MapView } from '../../map/map-view.ts'
import { texts } from '../../texts.ts'
import { RangeField, SelectField, TextField } from '../../ui/field.tsx'
import styles from './explore.module.css'
import type { ExploreFilters } from './filters.ts'
import { PlaceField } from './place-field.tsx'

export interface FilterFormProps {
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  /** Some scene says its off-nadir angle. */
  readonly hasOffNadir: boolean
  /** The map is on its way to a place. */
  readonly onGo: (target: MapView) => void
}

const resolutions = [0.5, 1, 5, 10, 30] as const
const off_nadir_degrees = [5, 10, 20, 30] as const
const prices = [0, 500, 2000, 10_000] as const

const toNumber = (text: string): number | null => (text === '' ? null : Number(text))
const any = { value: '', label: texts.explore.any }

export function FilterForm({ filters, onChange, hasOffNadir, onGo }: FilterFormProps) {
  const sources = useOperation('catalog.sources.list', {})
  const change = (part: Partial<ExploreFilters>): void => onChange({ ...filters, ...part })
  return (
    <div className={styles['filters']}>
      <PlaceField onGo={onGo} />
      <AreaTools area={filters.area} onChange={(area) => change({ area })} />
      <div className={styles['pair']}>
        <TextField
          label={texts.explore.from}
          type="date"
          value={filters.from ?? ''}
          max={filters.to ?? undefined}
          onChange={(from) => change({ from: from || null })}
        />
        <TextField
          label={texts.explore.to}
          type="date"
          value={filters.to ?? ''}
          min={filters.from ?? undefined}
          onChange={(to) => change({ to: to || null })}
        />
      </div>
      <RangeField
        label={texts.explore.maxCloud}
        shown={filters.maxCloud === null ? texts.explore.any : texts.explore.cloudAtMost(filters.maxCloud)}
        value={filters.maxCloud ?? 100}
        min={0}
        max={100}
        step={5}
        onChange={(value) => change({ maxCloud: value === 100 ? null : value })}
      />
      <details
        className={styles['more']}
        open={
          filters.host !== null ||
          filters.maxGsd !== null ||
          filters.maxOffNadir !== null ||
          filters.maxCredits !== null
        }
      >
        <summary>{texts.explore.more}</summary>
        <div className={styles['pair']}>
          <SelectField
            label={texts.explore.host}
            value={filters.host ?? ''}
            onChange={(host) => change({ host: host || null })}
            choices={[
              { value: '', label: texts.explore.allHosts },
              ...(sources.data?.sources ?? []).map(({ id, title }) => ({ value: id, label: title })),
            ]}
          />
          <SelectField
            label={texts.explore.maxGsd}
            value={String(filters.maxGsd ?? '')}
            onChange={(text) => change({ maxGsd: toNumber(text) })}
            choices={[any, ...resolutions.map((gsd) => ({ value: String(gsd), label: texts.explore.gsd(gsd) }))]}
          />
          {(hasOffNadir || filters.maxOffNadir !== null) && (
            <SelectField
              label={texts.explore.maxOffNadir}
              value={String(filters.maxOffNadir ?? '')}
              onChange={(text) => change({ maxOffNadir: toNumber(text) })}
              choices={[any, ...off_nadir_degrees.map((angle) => ({ value: String(angle), label: `${angle}°` }))]}
            />
          )}
          <SelectField
            label={texts.explore.maxCredits}
            value={String(filters.maxCredits ?? '')}
            onChange={(text) => change({ maxCredits: toNumber(text) })}
            choices={[
              any,
              ...prices.map((credits) => ({
                value: String(credits),
                label: credits === 0 ? texts.explore.free : texts.ui.credits(credits, credits.toLocaleString('en')),
              })),
            ]}
          />
        </div>
      </details>
    </div>
  )
}
